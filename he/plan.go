package he

import "math"

// Need says what a contraction asks of a response: results modulo 2^Width, right but for their low Slack bits, or, if
// Slack is 0, exactly. Each is a sum of Terms products for each of Inputs ciphertexts, with weights of magnitudes of at
// most 2^Weight. Outputs is that of Context.Combine; Filled is the number of all outputs in the response.
type Need struct{ Width, Slack, Weight, Terms, Inputs, Outputs, Filled int }

// Sizes are the numbers of bits of the numbers of messages: of ciphertexts, responses, public and switching keys.
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
	publicShare = 0.20
)

// Sizes returns the sizes with which the set gives what is needed, and false if it does not.
func (c Set) Sizes(n Need) (Sizes, bool) {
	if n.Outputs > 1 && c.Special == 0 || n.Outputs > mostOrder {
		return Sizes{}, false
	}
	error := float64(n.Slack - n.Width) // log2, of the whole modulus
	if n.Slack == 0 {
		error = float64(-n.Width - exactMargin)
	}
	q := -0.001 * float64(len(c.Primes)) // log2; primes are a little below powers of two
	for _, p := range c.Primes {
		q += float64(p)
	}
	rounding := math.Log2(tail) - math.Log2(12)/2 // log2 of tail deviations of a number that is rounded
	secret := math.Log2(2*float64(c.N)/3) / 2     // log2 of the norm of a ternary polynomial
	norm := float64(n.Weight) + math.Log2(float64(n.Terms*n.Inputs))/2
	s := Sizes{
		Answer: int(math.Ceil(rounding + secret - math.Log2(answerShare) - error)),
		Upload: int(math.Ceil(rounding + norm - math.Log2(uploadShare) - error)),
		Public: int(math.Ceil(rounding + secret - math.Log2(publicShare) - error)),
	}
	fresh := math.Log2(tail*sigma) - q
	if fresh+norm > error+math.Log2(uploadShare)-0.5 || fresh+secret > error+math.Log2(publicShare)-1 {
		return s, false
	}
	s.Upload = min(s.Upload+1, int(q)) // half of the share is the noise's
	s.Public = min(s.Public+1, int(q))
	if n.Outputs > 1 {
		// polynomials of all automorphisms together: those of distinct monomials have the norm of their weights
		all := float64(n.Weight) + math.Log2(8*float64(n.Outputs)*float64(n.Filled)*float64(n.Terms)*float64(n.Inputs))/2
		steps := float64(babies(n.Outputs))
		if n.Outputs < baby {
			steps *= float64(baby / n.Outputs)
		}
		allowed := error + math.Log2(switchShare) - math.Log2(tail) - all - math.Log2(steps)/2 + q // log2 of a switch's deviation
		digit := float64(c.Primes[0]-c.Special) + math.Log2(float64(c.N*len(c.Primes)))/2 - math.Log2(12)/2
		if math.Log2(math.Exp2(2*secret-math.Log2(12))+math.Exp2(2*(digit+math.Log2(sigma))))/2 > allowed-0.5 {
			return s, false
		}
		s.Switch = min(int(math.Ceil(q+float64(c.Special)-math.Log2(12)/2-(allowed-digit)+0.5)), int(q)+c.Special)
	}
	return s, true
}
