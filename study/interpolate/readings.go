package interpolate

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"time"
)

// Readings holds the readings of all sensors, taken at the same times.
type Readings struct {
	Features []string    // names of the features
	Times    []time.Time // ascending
	Sites    []Site      // sites of one owner are neighbours in the list
}

// Site is a sensor with its place and owner.
type Site struct {
	Name, Owner string
	Lat, Lon    float64     // degrees
	X           [][]float64 // by time and feature
	Y           []float64   // by time: the value that models interpolate
}

// plane returns the site's place in km east and north of a point.
func (s *Site) plane(lat, lon float64) (x, y float64) {
	return (s.Lon - lon) * 111.2 * math.Cos(lat*math.Pi/180), (s.Lat - lat) * 111.2
}

// The columns of a CSV file that are not features.
const (
	columnSite  = "site"
	columnOwner = "owner"
	columnLat   = "lat"
	columnLon   = "lon"
	columnTime  = "time"
	columnValue = "value"
)

// CSV returns the readings as the text of a CSV file in the format of Read.
func (d *Readings) CSV() []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Write(append(append([]string{columnSite, columnOwner, columnLat, columnLon, columnTime}, d.Features...), columnValue))
	number := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	for i := range d.Sites {
		s := &d.Sites[i]
		for k, at := range d.Times {
			row := []string{s.Name, s.Owner, number(s.Lat), number(s.Lon), at.Format("2006-01-02 15:04")}
			for _, x := range s.X[k] {
				row = append(row, number(x))
			}
			w.Write(append(row, number(s.Y[k]))) // writes to memory cannot fail
		}
	}
	w.Flush()
	return b.Bytes()
}

// Limits of a file that Read accepts: programs have matrices of sites × sites.
const (
	minSites, maxSites = 20, 2000
	maxTimes           = 24 * 7
	maxFeatures        = 64
)

// Read reads readings from a CSV file with the columns site, lat, lon (degrees), time and value, the optional column owner
// and further columns, which are features. Readings of a site within one hour are averaged, as the owner of the site would do
// alone. All sites need readings in the same hours. Without the column owner each site is an owner.
func Read(path string) (*Readings, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d, err := parse(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return d, nil
}

// header is the place of each column.
type header struct {
	site, owner, lat, lon, time, value int // owner is −1 if there is no such column
	features                           []int
}

func readHeader(row []string) (*header, error) {
	h := &header{}
	for name, at := range map[string]*int{
		columnSite: &h.site, columnOwner: &h.owner, columnLat: &h.lat, columnLon: &h.lon, columnTime: &h.time, columnValue: &h.value,
	} {
		if *at = slices.Index(row, name); *at < 0 && name != columnOwner {
			return nil, fmt.Errorf("line 1: there is no column %q; the file needs the columns site, lat, lon, time and value", name)
		}
	}
	for i, name := range row {
		if slices.Index(row, name) != i {
			return nil, fmt.Errorf("line 1: two columns are called %q; rename one", name)
		}
		if !slices.Contains([]int{h.site, h.owner, h.lat, h.lon, h.time, h.value}, i) {
			h.features = append(h.features, i)
		}
	}
	if len(h.features) > maxFeatures {
		return nil, fmt.Errorf("line 1: %d features, at most %d are allowed; leave some columns out", len(h.features), maxFeatures)
	}
	return h, nil
}

// mean is the sum of readings within an hour, and their number.
type mean struct {
	n int
	x []float64
	y float64
}

func parse(f io.Reader) (*Readings, error) {
	r := csv.NewReader(f)
	row, err := r.Read()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("the file is empty; it needs a line with the names of its columns")
	} else if err != nil {
		return nil, err
	}
	h, err := readHeader(row)
	if err != nil {
		return nil, err
	}
	d := &Readings{}
	for _, i := range h.features {
		d.Features = append(d.Features, row[i])
	}
	hours := map[string]map[time.Time]*mean{} // by site
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		line, _ := r.FieldPos(0)
		if err := d.add(h, row, hours); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
	}
	return d, d.finish(hours)
}

// add adds a row to the sums of its site.
func (d *Readings) add(h *header, row []string, hours map[string]map[time.Time]*mean) error {
	at, err := readTime(row[h.time])
	if err != nil {
		return err
	}
	var numbers []float64
	for _, i := range append([]int{h.lat, h.lon, h.value}, h.features...) {
		x, err := strconv.ParseFloat(row[i], 64)
		if err != nil || math.IsNaN(x) || math.Abs(x) > 1e6 {
			return fmt.Errorf("column %d has %.20q, which is no number between -1e6 and 1e6; correct it or leave the row out", i+1, row[i])
		}
		numbers = append(numbers, x)
	}
	s := Site{Name: row[h.site], Owner: row[h.site], Lat: numbers[0], Lon: numbers[1]}
	if h.owner >= 0 {
		s.Owner = row[h.owner]
	}
	if math.Abs(s.Lat) > 85 || math.Abs(s.Lon) > 180 {
		return fmt.Errorf("latitude %g, longitude %g: latitudes lie in [-85, 85], longitudes in [-180, 180]", s.Lat, s.Lon)
	}
	if known := hours[s.Name]; known == nil {
		if len(d.Sites) == maxSites {
			return fmt.Errorf("more than %d sites; leave some out", maxSites)
		}
		d.Sites = append(d.Sites, s)
		hours[s.Name] = map[time.Time]*mean{}
	} else if i := slices.IndexFunc(d.Sites, func(o Site) bool { return o.Name == s.Name }); d.Sites[i].Owner != s.Owner ||
		d.Sites[i].Lat != s.Lat || d.Sites[i].Lon != s.Lon {
		return fmt.Errorf("site %.40q has another owner or place than in an earlier row; a site has one of each", s.Name)
	}
	m := hours[s.Name][at]
	if m == nil {
		m = &mean{x: make([]float64, len(h.features))}
		hours[s.Name][at] = m
	}
	m.n++
	m.y += numbers[2]
	for j, x := range numbers[3:] {
		m.x[j] += x
	}
	return nil
}

// readTime returns the hour of a time.
func readTime(text string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04:05", "2006-01-02T15:04"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC().Truncate(time.Hour), nil
		}
	}
	return time.Time{}, fmt.Errorf("time %.40q is not of the form 2026-01-12 08:05 or 2026-01-12T08:05:00Z", text)
}

// finish sets the means, and checks that all sites have the same hours.
func (d *Readings) finish(hours map[string]map[time.Time]*mean) error {
	if len(d.Sites) < minSites {
		return fmt.Errorf("%d sites, at least %d are needed", len(d.Sites), minSites)
	}
	for at := range hours[d.Sites[0].Name] {
		d.Times = append(d.Times, at)
	}
	slices.SortFunc(d.Times, time.Time.Compare)
	if len(d.Times) > maxTimes {
		return fmt.Errorf("%d hours, at most %d are allowed; leave some out", len(d.Times), maxTimes)
	}
	for i := range d.Sites {
		s := &d.Sites[i]
		own := hours[s.Name]
		for _, at := range d.Times {
			m := own[at]
			if m == nil {
				return fmt.Errorf("site %.40q has no reading in the hour from %s, which site %.40q has; leave the hour or the site out",
					s.Name, at.Format("2006-01-02 15:04"), d.Sites[0].Name)
			}
			for j := range m.x {
				m.x[j] /= float64(m.n)
			}
			s.X, s.Y = append(s.X, m.x), append(s.Y, m.y/float64(m.n))
		}
		if len(own) != len(d.Times) {
			return fmt.Errorf("site %.40q has readings in %d hours, site %.40q in %d; leave hours or sites out", s.Name, len(own), d.Sites[0].Name, len(d.Times))
		}
	}
	owners := d.owners()
	if len(owners) < 2 {
		return errors.New("all sites have one owner; at least two are needed")
	}
	slices.SortStableFunc(d.Sites, func(a, b Site) int { return owners[a.Owner] - owners[b.Owner] })
	return nil
}

// owners returns the number of each owner, in the order in which the owners first occur.
func (d *Readings) owners() map[string]int {
	out := map[string]int{}
	for _, s := range d.Sites {
		if _, known := out[s.Owner]; !known {
			out[s.Owner] = len(out)
		}
	}
	return out
}

// Hourly returns the readings averaged over each hour.
func (d *Readings) Hourly() (*Readings, error) { return parse(bytes.NewReader(d.CSV())) }
