package he

import "math"

// Need states what a contraction needs. Results are numbers modulo 2^Width; their low Slack bits may be wrong, and none
// if Slack is 0. A result is the sum, over Inputs ciphertexts, of Terms products each, with weights of magnitude at
// most 2^Weight. Outputs and Giants are those of Context.Combine.
type Need struct{ Width, Slack, Weight, Terms, Inputs, Outputs, Giants int }

// Sizes holds numbers of bits, each of one number of a message: Upload of ciphertexts, Answer of responses, Public of
// public keys, Switch of switching keys but those of baby steps, which have babyBits more.
type Sizes struct{ Upload, Answer, Public, Switch int }

// tail is the number of standard deviations that errors are planned for: one in 2^75 is larger.
const tail = 10

// exactMargin is log2 of the part of a unit that the error of an exact result may have: the result is wrong if the
// masked number is as close to half a unit.
const exactMargin = 54

// Shares of the error that messages and keys may cause; the sum of their squares is below 1.
const (
	answerShare = 0.86
	uploadShare = 0.30
	switchShare = 0.30
	babyShare   = 0.20
	publicShare = 0.20
)

// Sizes returns the fewest bits of the numbers of messages with which the set meets the Need. It returns false if the
// set cannot meet it.
func (c Set) Sizes(n Need) (Sizes, bool) {
	if n.Outputs > 1 && c.Special == 0 || n.Outputs > mostOrder {
		return Sizes{}, false
	}
	error := float64(n.Slack - n.Width) // log2, of the whole modulus
	if n.Slack == 0 {
		error = float64(-n.Width - exactMargin)
	}
	whole, kept := 0.0, 0.0 // log2 of Q and of the part that is kept; primes are a little below powers of two
	for i, p := range c.Primes {
		whole += float64(p) - 0.001
		if i < c.Kept {
			kept += float64(p) - 0.001
		}
	}
	rounding := log2(tail) - log2(12)/2  // log2 of tail deviations of a number that is rounded
	secret := log2(2*float64(c.N)/3) / 2 // log2 of the norm of a ternary polynomial
	norm := float64(n.Weight) + log2(float64(n.Terms*n.Inputs))/2
	s := Sizes{
		Answer: int(math.Ceil(rounding + secret - log2(answerShare) - error)),
		Upload: int(math.Ceil(rounding + norm - log2(uploadShare) - error)),
		Public: int(math.Ceil(rounding + secret - log2(publicShare) - error)),
	}
	if log2(tail*sigma)-whole+norm > error+log2(uploadShare)-0.5 {
		return s, false // half of the share is the noise's
	}
	s.Upload = min(s.Upload+1, int(whole))
	s.Public = min(s.Public+1, int(kept))
	// what the kept modulus has to hide: noise of the public key, of divisions, and of switches' divisions
	steps := 1.
	if n.Outputs > 1 {
		steps = 2 * float64(n.Giants)
	}
	inner := math.Hypot(sigma*math.Exp2(secret), math.Sqrt(steps*math.Exp2(2*secret)/12))
	if n.Outputs > 1 {
		digits := log2(float64(c.N*c.Kept)) / 2
		digit := float64(c.Primes[0])
		inner = math.Hypot(inner, math.Sqrt(steps)*sigma*math.Exp2(digit-float64(c.Special)+digits-log2(12)/2))
		s.Switch = int(math.Ceil(rounding+digit+digits+log2(steps)/2-log2(12)/2-log2(switchShare)-error)) + 1
		s.Switch = min(s.Switch, int(kept)+c.Special)
	}
	if images, each := babySteps(n.Outputs, n.Giants); images > 1 {
		// Each image has the noise of all steps before it. Products multiply it by the weights of all outputs, and the sum over the
		// group does not keep a part of it only.
		applied := log2(float64((images-1)*each)) / 2
		times := norm + log2(float64(n.Outputs))
		digits := log2(float64(c.N*len(c.Primes))) / 2
		digit := float64(c.Primes[0]) - log2(12)/2
		noise := math.Hypot(math.Sqrt(math.Exp2(2*secret)/12), sigma*math.Exp2(digit-float64(c.Special)+digits))
		if log2(tail*noise)+applied+times-whole > error+log2(babyShare)-1 {
			return s, false
		}
		size := int(math.Ceil(rounding+digit+digits+applied+times-log2(babyShare)-error)) + 1
		s.Switch = max(s.Switch, min(size, int(whole)+c.Special)-babyBits)
	}
	return s, log2(tail*inner)-kept <= error+log2(publicShare)-1
}

func log2(x float64) float64 { return math.Log2(x) }
