package console

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/tacet-mpc/tacet/cluster"
	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/tensor"
)

// Bounds of what a page shows of results: bytes that are fetched, results, rows and columns of a table, points of a plot,
// images and the pixels of each.
const (
	maxResultBytes = 64 << 20
	maxResults     = 20
	maxRows        = 50
	maxColumns     = 16
	maxPoints      = 2000
	maxImages      = 16
	maxSide        = 512
)

// resultsPage is the body of results.html.
type resultsPage struct {
	ID, Node string
	Results  []resultView
	More     int
}

// resultView is one result.
type resultView struct {
	Number           int
	Type             string
	Name             string
	Head             []string
	Rows             [][]string
	MoreRows, MoreOf int // rows and columns that are left out
	Plot             *plot
	Images           []imageView
	Download         string
	Least, Most      string
	Odd              int // elements that are no finite numbers
}

type imageView struct{ URL, Alt string }

// fetch fetches the results of a job that the identity may fetch, if they are not too large.
func (s *Server) fetch(ctx context.Context, node, id string) (api.Job, []*tensor.Array, error) {
	c, err := s.node(node)
	if err != nil {
		return api.Job{}, nil, err
	}
	if !validID.MatchString(id) {
		return api.Job{}, nil, fail(http.StatusNotFound, "%.40q is no id of a job", id)
	}
	j, err := c.Job(ctx, id)
	if err != nil {
		return j, nil, err
	}
	if j.Results == 0 {
		return j, nil, fail(http.StatusNotFound, "%s has no results of job %.8s: its party learns none, or the job is not done", node, id)
	}
	n, err := cluster.ResultBytes(j)
	if err != nil {
		return j, nil, err
	}
	if n > maxResultBytes {
		return j, nil, fail(http.StatusRequestEntityTooLarge,
			"the results take up to %s, and a page shows at most %s: tacet fetch %.8s --node %s --out DIR",
			size(n), size(maxResultBytes), id, node)
	}
	all, _, err := cluster.Fetch(ctx, c, id)
	return j, all, err
}

// results shows the results of a job.
func (s *Server) results(r *http.Request) (string, any, error) {
	node, id := r.URL.Query().Get("node"), r.PathValue("id")
	j, all, err := s.fetch(r.Context(), node, id)
	if err != nil {
		return "", nil, err
	}
	p := &resultsPage{ID: id, Node: node, More: max(0, len(all)-maxResults)}
	for i, a := range all[:len(all)-p.More] {
		v := view(a)
		v.Number, v.Download = i, fmt.Sprintf("/jobs/%s/results/out%d.npy?node=%s", id, i, node)
		if i < len(j.Reveals) {
			v.Name = j.Reveals[i].Name
		}
		for k := range images(a) {
			v.Images = append(v.Images, imageView{fmt.Sprintf("/jobs/%s/results/out%d-%d.png?node=%s", id, i, k, node),
				fmt.Sprintf("image %d of result %d", k, i)})
		}
		p.Results = append(p.Results, v)
	}
	return fmt.Sprintf("Results of job %.8s", id), p, nil
}

// view describes an array: its first rows, and a plot if it is a vector.
func view(a *tensor.Array) resultView {
	v := resultView{Type: a.Type.String()}
	shape := a.Shape
	rows, columns := 1, 1
	switch {
	case len(shape) == 1:
		rows = shape[0]
	case len(shape) > 1:
		rows, columns = shape[0], 1
		for _, n := range shape[1:] {
			columns *= n
		}
	}
	shown := min(columns, maxColumns)
	if columns > 1 {
		for c := range shown {
			v.Head = append(v.Head, strconv.Itoa(c))
		}
	}
	at := elements(a)
	for r := range min(rows, maxRows) {
		row := []string{strconv.Itoa(r)}
		for c := range shown {
			row = append(row, at(r*columns+c))
		}
		v.Rows = append(v.Rows, row)
	}
	v.MoreRows, v.MoreOf = rows-len(v.Rows), columns-shown
	if a.DType == tensor.C64 || a.DType == tensor.C128 || a.Len() == 0 {
		return v
	}
	values := a.Floats()
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range values {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			v.Odd++
			continue
		}
		lo, hi = min(lo, x), max(hi, x)
	}
	if lo <= hi {
		v.Least, v.Most = fmt.Sprintf("%.6g", lo), fmt.Sprintf("%.6g", hi)
	}
	if len(shape) == 1 && rows > 2 && v.Odd == 0 {
		v.Plot = line(thin(values, maxPoints), "element", "value")
	}
	return v
}

// elements returns a function that formats an array's elements by index.
func elements(a *tensor.Array) func(int) string {
	v := reflect.ValueOf(a.Data)
	if a.DType == tensor.F16 || a.DType == tensor.BF16 { // stored as bit patterns
		v = reflect.ValueOf(a.Floats())
	}
	return func(i int) string {
		switch x := v.Index(i).Interface().(type) {
		case float32, float64, complex64, complex128:
			return fmt.Sprintf("%.6g", x)
		default:
			return fmt.Sprint(x)
		}
	}
}

// thin returns at most most of the values, at equal distances.
func thin(values []float64, most int) []float64 {
	if len(values) <= most {
		return values
	}
	out := make([]float64, most)
	for i := range out {
		out[i] = values[i*len(values)/most]
	}
	return out
}

// images returns the images that an array may hold: a matrix, or an array of matrices or of matrices with one or three
// channels, of at least 8 rows and columns.
func images(a *tensor.Array) (out []image.Image) {
	if a.DType == tensor.C64 || a.DType == tensor.C128 || a.DType == tensor.Bool {
		return nil
	}
	shape := slices.Clone(a.Shape)
	channels := 1
	if n := len(shape); n >= 3 && (shape[n-1] == 1 || shape[n-1] == 3) {
		channels, shape = shape[n-1], shape[:n-1]
	}
	n := len(shape)
	if n < 2 || n > 3 || shape[n-1] < 8 || shape[n-2] < 8 || shape[n-1] > maxSide || shape[n-2] > maxSide {
		return nil
	}
	many := 1
	if n == 3 {
		many = min(shape[0], maxImages)
	}
	h, w := shape[n-2], shape[n-1]
	values := a.Floats()
	for k := range many {
		part := values[k*h*w*channels : (k+1)*h*w*channels]
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, x := range part {
			if !math.IsNaN(x) && !math.IsInf(x, 0) {
				lo, hi = min(lo, x), max(hi, x)
			}
		}
		level := func(x float64) uint8 {
			if !(hi > lo) || math.IsNaN(x) {
				return 0
			}
			return uint8(math.Round(255 * min(1, max(0, (x-lo)/(hi-lo)))))
		}
		img := image.NewRGBA(image.Rect(0, 0, w, h))
		for y := range h {
			for x := range w {
				i := (y*w + x) * channels
				c := color.RGBA{A: 255}
				c.R = level(part[i])
				c.G, c.B = c.R, c.R
				if channels == 3 {
					c.G, c.B = level(part[i+1]), level(part[i+2])
				}
				img.SetRGBA(x, y, c)
			}
		}
		out = append(out, img)
	}
	return out
}

// resultFile sends a result as an .npy file, or an image of it.
func (s *Server) resultFile(w http.ResponseWriter, r *http.Request) {
	err := s.sendResult(w, r)
	if err != nil {
		s.page("error.html", func(*http.Request) (string, any, error) { return "", nil, err })(w, r)
	}
}

func (s *Server) sendResult(w http.ResponseWriter, r *http.Request) error {
	file := r.PathValue("file")
	name, kind, _ := strings.Cut(strings.TrimPrefix(file, "out"), ".")
	number, which, _ := strings.Cut(name, "-")
	i, err := strconv.Atoi(number)
	k := 0
	if kind == "png" && err == nil {
		k, err = strconv.Atoi(which)
	}
	if err != nil || i < 0 || k < 0 || kind != "png" && kind != "npy" {
		return fail(http.StatusNotFound, "%.40q is no result's file", file)
	}
	_, all, err := s.fetch(r.Context(), r.URL.Query().Get("node"), r.PathValue("id"))
	if err != nil {
		return err
	}
	if i >= len(all) {
		return fail(http.StatusNotFound, "the job has %d results", len(all))
	}
	if kind == "npy" {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="out%d.npy"`, i))
		npy.Write(w, all[i]) // an error means that the caller has disconnected
		return nil
	}
	made := images(all[i])
	if k >= len(made) {
		return fail(http.StatusNotFound, "result %d has %d images", i, len(made))
	}
	w.Header().Set("Content-Type", "image/png")
	png.Encode(w, made[k]) // an error means that the caller has disconnected
	return nil
}

// comparePage is the body of compare.html.
type comparePage struct {
	A, B         string // NODE:ID
	Jobs         []string
	TitleA       string
	TitleB       string
	Totals, Ops  []compareRow
	More         int
	Ready        bool
	NothingToSee bool
}

type compareRow struct{ Name, A, B, Ratio, Where string }

// maxCompared bounds the operations of a comparison that a page lists, and maxChoices the jobs that may be chosen.
const (
	maxCompared = 100
	maxChoices  = 100
)

// compare compares the reports of two finished jobs.
func (s *Server) compare(r *http.Request) (string, any, error) {
	p := &comparePage{A: r.URL.Query().Get("a"), B: r.URL.Query().Get("b")}
	answers, _ := eachNode(s, s.names, func(c *api.Client) ([]api.Job, error) {
		jobs, _, err := c.List(r.Context(), api.JobsQuery{State: api.Done, Limit: maxChoices})
		return jobs, err
	})
	for _, jobs := range answers {
		for _, j := range jobs[:min(len(jobs), maxChoices)] {
			if !j.Serve && !j.Offline {
				p.Jobs = append(p.Jobs, j.Node+":"+j.ID)
			}
		}
	}
	if p.A == "" || p.B == "" {
		return "Compare two runs", p, nil
	}
	var reports [2]*profile.Report
	for i, name := range []string{p.A, p.B} {
		node, id, ok := strings.Cut(name, ":")
		if !ok {
			return "", nil, fail(http.StatusBadRequest, "%.80q: want NODE:ID", name)
		}
		var err error
		if reports[i], err = s.report(r.Context(), node, id); err != nil {
			return "", nil, errors.Join(err)
		}
	}
	fillComparison(p, reports[0], reports[1], profile.ByBytes)
	return "Compare two runs", p, nil
}

// fillComparison sets the rows of a comparison.
func fillComparison(p *comparePage, a, b *profile.Report, by profile.Order) {
	c := profile.Compare(a, b, by)
	p.Ready, p.TitleA, p.TitleB, p.NothingToSee = true, c.A, c.B, len(c.Ops) == 0
	ratio := func(x *float64) string {
		if x == nil {
			return "–"
		}
		return fmt.Sprintf("×%.3g", *x)
	}
	number := func(x float64) string {
		if x == math.Trunc(x) {
			return strconv.FormatFloat(x, 'f', 0, 64)
		}
		return strconv.FormatFloat(x, 'f', 4, 64)
	}
	for _, t := range c.Totals {
		p.Totals = append(p.Totals, compareRow{t.Name, number(t.A), number(t.B), ratio(t.Ratio), ""})
	}
	p.More = max(0, len(c.Ops)-maxCompared)
	cell := func(x *profile.Side) (string, string) {
		if x == nil {
			return "–", ""
		}
		return fmt.Sprintf("%s, %s, %s offline", size(x.BytesSent), plural(x.Rounds, "round"), size(x.OfflineBytes)), x.Loc
	}
	for _, o := range c.Ops[:len(c.Ops)-p.More] {
		x, where := cell(o.A)
		y, other := cell(o.B)
		if where == "" {
			where = other
		}
		p.Ops = append(p.Ops, compareRow{o.Op, x, y, ratio(o.Ratio), where})
	}
}
