package interpolate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// Set holds the sizes of a synthetic data set that the study uses.
type Set struct {
	Name     string        // "hour", "day" or "week"
	Sites    int           // number of sensors
	Readings int           // number of readings of each sensor
	Every    time.Duration // time between two readings
}

// Sets lists the study's synthetic data sets, the smallest first.
var Sets = []Set{
	{"hour", 200, 9, 7 * time.Minute},
	{"day", 200, 24, time.Hour},
	{"week", 200, 7 * 24, time.Hour},
}

// owners is the number of owners of generated sensors.
const owners = 20

// featureNames are the columns of generated features, and their units.
var featureNames = []string{
	"road",        // distance to the nearest road in km
	"traffic",     // 1000 vehicles an hour on the nearest road
	"green",       // share of green space around the sensor
	"elevation",   // 100 m above the lowest place
	"wind",        // speed in 10 m/s
	"temperature", // 10 °C
}

// start is the time of the first generated reading.
var start = time.Date(2026, 1, 12, 8, 0, 0, 0, time.UTC)

// Generate returns the synthetic readings of a set. The same set and seed give the same readings.
//
// The field, in µg/m³, is a sum: a background with seasons and hours of the day; smooth waves that the wind moves; the
// plumes of roads, which decay with the distance from the road and are blown downwind; the effects of green space and
// elevation. Sensors add noise.
func Generate(s Set, seed uint64) *Readings {
	r := rand.New(rand.NewPCG(seed, 0x7461636574))
	c := newCity(r)
	d := &Readings{Features: featureNames}
	for i := range s.Sites {
		x, y := side*r.Float64(), side*r.Float64()
		d.Sites = append(d.Sites, Site{
			Name: fmt.Sprintf("s%03d", i), Owner: fmt.Sprintf("o%02d", i*owners/s.Sites), Lat: round(lat+y/kmLat, 4), Lon: round(lon+x/kmLon, 4),
		})
	}
	for k := range s.Readings {
		at := start.Add(time.Duration(k) * s.Every)
		d.Times = append(d.Times, at)
		for i := range d.Sites {
			x, y := d.Sites[i].plane(lat, lon)
			features, value := c.at(x, y, at)
			for j := range features {
				features[j] = round(features[j], 2)
			}
			d.Sites[i].X = append(d.Sites[i].X, features)
			d.Sites[i].Y = append(d.Sites[i].Y, round(max(0, value+3*r.NormFloat64()), 1))
		}
	}
	return d
}

// The city is a square of side km whose south-western corner is at lat and lon, in degrees. A degree has kmLat and kmLon km there.
const (
	side     = 20.0
	lat, lon = 48.05, 11.45
	kmLat    = 111.2
	kmLon    = 74.3
)

// city is the field: what does not depend on place and time.
type city struct {
	roads []road
	waves []wave
	hills []wave
}

// road is a straight road: the points whose product with the normal (nx, ny) is offset, in km.
type road struct{ nx, ny, offset, traffic float64 }

// wave is a plane wave of space.
type wave struct{ kx, ky, phase, height float64 }

func newCity(r *rand.Rand) *city {
	c := &city{}
	for range 7 {
		angle := 2 * math.Pi * r.Float64()
		nx, ny := math.Cos(angle), math.Sin(angle)
		c.roads = append(c.roads, road{nx, ny, nx*side*r.Float64() + ny*side*r.Float64(), 0.5 + 2.5*r.Float64()})
	}
	waves := func(n int, longest, height float64) (out []wave) {
		for range n {
			angle, length := 2*math.Pi*r.Float64(), longest*(0.4+0.6*r.Float64())
			k := 2 * math.Pi / length
			out = append(out, wave{k * math.Cos(angle), k * math.Sin(angle), 2 * math.Pi * r.Float64(), height})
		}
		return out
	}
	c.waves, c.hills = waves(8, 18, 11), waves(5, 25, 0.5)
	return c
}

func sum(waves []wave, x, y float64) (s float64) {
	for _, w := range waves {
		s += w.height * math.Cos(w.kx*x+w.ky*y+w.phase)
	}
	return s
}

// at returns the features and the field at a place, in km, and a time.
func (c *city) at(x, y float64, at time.Time) (features []float64, value float64) {
	hours := at.Sub(start).Hours()
	clock := float64(at.Hour()) + float64(at.Minute())/60
	season := math.Cos(2 * math.Pi * float64(at.YearDay()-15) / 365)
	rush := 0.35 + 0.65*(bump(clock-8.2)+bump(clock-17.5))
	if day := at.Weekday(); day == time.Saturday || day == time.Sunday {
		rush *= 0.6
	}
	u, v := 3+1.5*math.Sin(hours/7), 1.5*math.Cos(hours/11) // wind, m/s
	speed := math.Hypot(u, v)
	value = 55 + 18*season + 6*math.Cos(2*math.Pi*(clock-7)/24) + sum(c.waves, x-0.3*u*hours, y-0.3*v*hours)
	nearest, traffic := math.Inf(1), 0.0
	for _, r := range c.roads {
		across := r.nx*x + r.ny*y - r.offset
		blown := across - 0.08*(r.nx*u+r.ny*v)
		flow := 1e3 * r.traffic * rush
		value += 0.03 * flow * math.Exp(-math.Abs(blown)/0.6) * 4 / (2 + speed)
		if d := math.Abs(across); d < nearest {
			nearest, traffic = d, flow
		}
	}
	green := 1 / (1 + math.Exp(-sum(c.hills, 1.3*x+4, 1.3*y-2)))
	height := 2 + sum(c.hills, x, y)
	value -= 25*green + 5*height
	temperature := 0.4 - 0.9*season + 0.4*math.Cos(2*math.Pi*(clock-14)/24) - 0.07*height
	return []float64{nearest, traffic / 1e3, green, height, speed / 10 * (1 + 0.1*height), temperature}, value
}

// bump is 1 at 0 and falls to 0 within a few hours.
func bump(hours float64) float64 { return math.Exp(-hours * hours / 3) }

// round rounds x to so many decimal digits.
func round(x float64, digits int) float64 {
	unit := math.Pow(10, float64(digits))
	return math.Round(x*unit) / unit
}
