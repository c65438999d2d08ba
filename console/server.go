package console

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/ops"
	"github.com/tacet-mpc/tacet/printable"
	"github.com/tacet-mpc/tacet/profile"
)

// Config holds the settings of a console. Nodes or Job is required.
type Config struct {
	Port  int                    // port at 127.0.0.1; 0: any free one
	Nodes map[string]*api.Client // clients of the nodes, by party name; empty: only the explorer
	Self  string                 // the identity as which the clients connect
	Job   string                 // path of a job file for the plan explorer; "" for none
	// Resume submits Job as a job that resumes the failed one with this id, and returns the new job's id; nil if the
	// console has no job.
	Resume func(ctx context.Context, id string) (string, error)
	Log    *slog.Logger // errors of the server

	answerTime time.Duration // how long a page waits for a node; 0: the default
}

// Server serves the console's pages. Listen makes a Server, Serve runs it.
type Server struct {
	config   Config
	guard    *guard
	l        net.Listener
	names    []string                    // of the nodes, sorted
	plans    background[*profile.Report] // by planKey
	outlines background[*outline]        // by node, job and arguments of the node's party
	audits   audits
	health   history
	tried    explorer
	explored background[*explored] // by settings and files
	stop     context.CancelFunc    // ends plans that are being made

	mu    sync.Mutex
	flash string // what the last action did, shown once
}

// Listen returns a Server that listens on 127.0.0.1. It returns an error if the port is in use.
func Listen(c Config) (*Server, error) {
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(c.Port)))
	if err != nil {
		return nil, fmt.Errorf("console: %w (name another --port)", err)
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	c.answerTime = cmp.Or(c.answerTime, answerTime)
	s := &Server{config: c, guard: newGuard(port), l: l, names: slices.Sorted(maps.Keys(c.Nodes))}
	s.plans.ctx, s.stop = context.WithCancel(context.Background())
	s.outlines.ctx, s.plans.most, s.outlines.most = s.plans.ctx, remembered, remembered
	s.explored.ctx, s.explored.most, s.audits.ctx = s.plans.ctx, remembered, s.plans.ctx
	return s, nil
}

// remembered is the number of plans, and of outlines of programs, that a console remembers.
const remembered = 32

// URL returns the address of the first page, which contains the token. Every holder of the address can do what the
// identity may do at the nodes.
func (s *Server) URL() string {
	return "http://" + s.l.Addr().String() + s.guard.base + "/?token=" + s.guard.token
}

// Serve answers requests until ctx ends. It returns nil then, else the error of the server.
func (s *Server) Serve(ctx context.Context) error {
	server := &http.Server{
		Handler:           s.Handler(),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       time.Minute,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    1 << 16,
		ErrorLog:          slog.NewLogLogger(s.config.Log.Handler(), slog.LevelDebug),
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	err := server.Serve(s.l)
	s.stop()
	if ctx.Err() != nil && errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Handler returns the handler of the console's pages, including the checks of host, cookie and origin.
func (s *Server) Handler() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET /assets/{file}", asset)
	if len(s.names) == 0 {
		m.HandleFunc("GET /{$}", s.page("explore.html", s.explore))
	} else {
		m.HandleFunc("GET /{$}", s.page("jobs.html", s.overview))
	}
	s.jobRoutes(m)
	s.approvalRoutes(m)
	s.auditRoutes(m)
	s.healthRoutes(m)
	s.exploreRoutes(m)
	m.HandleFunc("GET /", func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusNotFound, "There is no such page.")
	})
	return ops.Guarded(s.guard.protect(m), s.config.Log, nil)
}

//go:embed assets
var assets embed.FS

// asset serves a style or a script.
func asset(w http.ResponseWriter, r *http.Request) {
	kinds := map[string]string{"style.css": "text/css; charset=utf-8", "app.js": "text/javascript; charset=utf-8",
		"icon.svg": "image/svg+xml"}
	kind, ok := kinds[r.PathValue("file")]
	if !ok {
		refuse(w, http.StatusNotFound, "There is no such file.")
		return
	}
	text, err := fs.ReadFile(assets, "assets/"+r.PathValue("file"))
	if err != nil {
		panic(err) // it is embedded
	}
	w.Header().Set("Content-Type", kind)
	w.Write(text) // an error means that the caller has disconnected
}

// pages are the templates of all pages, by file name.
var pages = parsePages()

func parsePages() map[string]*template.Template {
	base := template.Must(template.New("layout.html").Funcs(functions).ParseFS(assets, "assets/layout.html"))
	files, err := fs.Glob(assets, "assets/*.html")
	if err != nil {
		panic(err)
	}
	out := map[string]*template.Template{}
	for _, f := range files {
		name := strings.TrimPrefix(f, "assets/")
		out[name] = template.Must(template.Must(base.Clone()).ParseFS(assets, f))
	}
	return out
}

// layout is what every page has.
type layout struct {
	Base  string // path of all pages
	Key   string // of forms
	Title string
	Nav   []navLink
	Self  string
	Flash string
	Nodes []string
	Body  any
}

type navLink struct {
	Name, URL string
	Here      bool
}

// failure is an error with the HTTP status of its page.
type failure struct {
	status int
	error
}

func (f failure) Unwrap() error { return f.error }

// fail returns a failure with this status.
func fail(status int, format string, args ...any) error {
	return failure{status, fmt.Errorf(format, args...)}
}

// errorPage is the body of error.html.
type errorPage struct{ Why string }

// maxShown bounds each text on a page, in bytes.
const maxShown = 4 << 10

// page answers with a page. body returns what its template shows, as a pointer, and the title.
func (s *Server) page(file string, body func(r *http.Request) (title string, body any, err error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		title, b, err := body(r)
		file, status := file, http.StatusOK
		if err != nil {
			file, title, status = "error.html", "Error", http.StatusBadGateway
			var f failure
			var refused *api.Refused
			switch {
			case errors.As(err, &f):
				status = f.status
			case errors.As(err, &refused) && refused.Status >= 400 && refused.Status < 500:
				status = refused.Status
			}
			b = &errorPage{oneLine(err)}
		}
		s.render(w, r, status, file, title, b)
	}
}

// render writes a page. All texts of body are made printable and bounded.
func (s *Server) render(w http.ResponseWriter, r *http.Request, status int, file, title string, body any) {
	printable.All(body, maxShown)
	l := layout{
		Base: s.guard.base, Key: s.guard.key(), Title: printable.Text(title, 200), Self: s.config.Self, Nodes: s.names, Body: body,
		Nav: s.nav(r.URL.Path), Flash: s.takeFlash(),
	}
	var b bytes.Buffer
	if err := pages[file].ExecuteTemplate(&b, "layout.html", l); err != nil {
		s.config.Log.Error("console: page", "page", file, "error", err.Error())
		refuse(w, http.StatusInternalServerError, "The page cannot be made; the console's output says why.")
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	io.Copy(w, &b) // an error means that the caller has disconnected
}

// nav returns the links to the main pages.
func (s *Server) nav(path string) []navLink {
	var out []navLink
	if len(s.names) > 0 {
		out = append(out,
			navLink{"Jobs", "/", path == "/" || strings.HasPrefix(path, "/jobs")},
			navLink{"Approvals", "/approvals", strings.HasPrefix(path, "/approvals") || strings.HasPrefix(path, "/programs")},
			navLink{"Audit", "/audit", strings.HasPrefix(path, "/audit")},
			navLink{"Services", "/services", strings.HasPrefix(path, "/services")},
			navLink{"Health", "/health", path == "/health"},
		)
	}
	if s.config.Job != "" {
		out = append(out, navLink{"Plan explorer", "/explore", strings.HasPrefix(path, "/explore")})
	}
	return out
}

// say shows a text on the next page.
func (s *Server) say(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flash = printable.Text(fmt.Sprintf(format, args...), 1000)
}

func (s *Server) takeFlash() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.flash
	s.flash = ""
	return out
}

// action answers a form: do returns the path of the page that follows.
func (s *Server) action(do func(r *http.Request) (next string, err error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		next, err := do(r)
		if err != nil {
			s.page("error.html", func(*http.Request) (string, any, error) { return "", nil, err })(w, r)
			return
		}
		http.Redirect(w, r, s.guard.base+next, http.StatusSeeOther)
	}
}

// node returns the client of the node that a request names by the value node.
func (s *Server) node(name string) (*api.Client, error) {
	c := s.config.Nodes[name]
	if c == nil {
		return nil, fail(http.StatusNotFound, "there is no node %.40q in the cluster file", name)
	}
	return c, nil
}

// eachNode asks nodes concurrently and returns the answers and the errors, in the order of names.
func eachNode[A any](s *Server, names []string, ask func(*api.Client) (A, error)) ([]A, []error) {
	out, errs := make([]A, len(names)), make([]error, len(names))
	var all sync.WaitGroup
	for i, name := range names {
		all.Go(func() { out[i], errs[i] = ask(s.config.Nodes[name]) })
	}
	all.Wait()
	return out, errs
}

// oneLine returns an error's message on one line.
func oneLine(err error) string {
	return strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
}
