package browser

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

var screenshots = flag.String("screenshots", "", "folder into which screenshots are written")

// browserPath returns an installed Chromium; the test is skipped without one, and unless TACET_TEST_BROWSER is set.
func browserPath(t *testing.T) string {
	if os.Getenv("TACET_TEST_BROWSER") == "" {
		t.Skip("the console is looked at in a browser with TACET_TEST_BROWSER=1")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome-headless-shell"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no browser is installed (chromium, google-chrome): the console is not looked at")
	return ""
}

// serviceJob is the example as a service, with the example's folder for %s.
const serviceJob = `program: %s/program.mlir
parties: [alice, bob]
inputs:
  - {owner: alice, file: digits/alice.npz, args: [0]}
  - {owner: bob, file: digits/bob.npz, args: [1, 2, 3, 4, 5, 6], resident: true}
outputs: {reveal: [alice]}
`

// wavesProgram reveals a copy of bob's image, and a row and the column sums of it.
const wavesProgram = `func.func @main(%x: tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<32xf32>, tensor<32xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %row = stablehlo.slice %x [3:4, 0:32] : (tensor<32x32xf32>) -> tensor<1x32xf32>
  %flat = stablehlo.reshape %row : (tensor<1x32xf32>) -> tensor<32xf32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<32x32xf32>, tensor<f32>) -> tensor<32xf32>
  return %x, %flat, %sum : tensor<32x32xf32>, tensor<32xf32>, tensor<32xf32>
}
`

const wavesJob = `program: waves.mlir
parties: [alice, bob]
inputs:
  - {owner: bob, file: waves.npy, arg: 0}
outputs: {reveal: [alice]}
`

// waves returns an image of 32 by 32 numbers as an .npy file.
func waves() []byte {
	head := "{'descr': '<f4', 'fortran_order': False, 'shape': (32, 32), }"
	head += strings.Repeat(" ", 118-len(head)-1) + "\n"
	file := append([]byte("\x93NUMPY\x01\x00"), binary.LittleEndian.AppendUint16(nil, uint16(len(head)))...)
	file = append(file, head...)
	for i := range 32 * 32 {
		x := math.Sin(float64(i%32)/4) * math.Cos(float64(i/32)/5)
		file = binary.LittleEndian.AppendUint32(file, math.Float32bits(float32(x)))
	}
	return file
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// world is a cluster of two nodes with a console, and a browser that has it open.
type world struct {
	t      *testing.T
	tacet  string
	dir    string
	job    string
	base   string // address of the console, without a slash at its end
	ctx    context.Context
	mu     sync.Mutex
	errors []string // what the browser's console said
	axe    string   // source of axe-core; "" without it
}

// run runs the command in the world's folder and returns its output.
func (w *world) run(args ...string) string {
	w.t.Helper()
	c := exec.Command(w.tacet, args...)
	c.Dir = w.dir
	out, err := c.CombinedOutput()
	if err != nil {
		w.t.Fatalf("tacet %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func newWorld(t *testing.T) *world {
	path := browserPath(t)
	w := &world{t: t, dir: t.TempDir()}
	w.tacet = filepath.Join(w.dir, "tacet")
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", w.tacet, "./cmd/tacet")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data := filepath.Join(w.dir, "data")
	if err := os.CopyFS(filepath.Join(data, "digits"), os.DirFS(filepath.Join(root, "examples", "digits"))); err != nil {
		t.Fatal(err)
	}
	w.job = filepath.Join(data, "digits", "job.yaml")
	write(t, filepath.Join(data, "waves.npy"), waves())
	write(t, filepath.Join(w.dir, "service.yaml"), []byte(fmt.Sprintf(serviceJob, filepath.ToSlash(filepath.Dir(w.job)))))
	write(t, filepath.Join(w.dir, "waves.mlir"), []byte(wavesProgram))
	write(t, filepath.Join(w.dir, "waves.yaml"), []byte(wavesJob))
	w.run("up", "--data", data)
	t.Cleanup(func() { w.run("down") })
	policy := filepath.Join(w.dir, "cluster", "bob", "policy.yaml")
	text, err := os.ReadFile(policy)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(strings.TrimRight(string(text), "\n")+"\n    approve: true\n", "rules:\n",
		"admins_may_add_rules: true\nrules:\n", 1)
	w.run("down")
	if err := os.WriteFile(policy, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	w.run("up")

	console := exec.Command(w.tacet, "console", w.job)
	console.Dir, console.Stderr = w.dir, t.Output()
	out, err := console.StdoutPipe()
	if err == nil {
		err = console.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { console.Process.Signal(os.Interrupt); console.Wait() })
	address := ""
	for lines := bufio.NewScanner(out); address == "" && lines.Scan(); {
		if text := strings.TrimSpace(lines.Text()); strings.HasPrefix(text, "http://") {
			address = text
		}
	}
	u, err := url.Parse(address)
	if err != nil || address == "" {
		t.Fatalf("the console printed %q, %v", address, err)
	}
	w.base = strings.TrimSuffix(address[:strings.Index(address, "?")], "/")
	if path := os.Getenv("TACET_TEST_AXE"); path != "" {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		w.axe = string(source)
	} else {
		t.Log("TACET_TEST_AXE names no axe.min.js: accessibility is not checked")
	}

	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.WindowSize(1200,
		900))
	allocated, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel := chromedp.NewContext(allocated)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(cancel)
	w.ctx = ctx
	chromedp.ListenTarget(ctx, func(e any) {
		w.mu.Lock()
		defer w.mu.Unlock()
		switch e := e.(type) {
		case *runtime.EventExceptionThrown:
			w.errors = append(w.errors, e.ExceptionDetails.Error())
		case *runtime.EventConsoleAPICalled:
			if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
				w.errors = append(w.errors, fmt.Sprintf("%s %v", e.Type, e.Args))
			}
		case *log.EventEntryAdded:
			if e.Entry.Level == log.LevelError || e.Entry.Level == log.LevelWarning {
				w.errors = append(w.errors, fmt.Sprintf("%s %s", e.Entry.Text, e.Entry.URL))
			}
		}
	})
	w.do(chromedp.Navigate(u.String()), chromedp.WaitVisible("main"))
	return w
}

// do carries out actions in the browser.
func (w *world) do(actions ...chromedp.Action) {
	w.t.Helper()
	if err := chromedp.Run(w.ctx, actions...); err != nil {
		w.t.Fatalf("%v\n%s", err, w.text())
	}
}

// open opens a page below the base.
func (w *world) open(path string) {
	w.t.Helper()
	w.do(chromedp.Navigate(w.base+path), chromedp.WaitReady("main"))
}

// text returns the page's text.
func (w *world) text() string {
	var text string
	chromedp.Run(w.ctx, chromedp.Evaluate("document.body ? document.body.innerText : ''", &text))
	return text
}

// sees waits until the page has a text.
func (w *world) sees(want string) {
	w.t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		text := w.text()
		if strings.Contains(text, want) {
			return
		}
		if time.Now().After(deadline) {
			w.t.Fatalf("the page does not show %q:\n%s", want, text)
		}
	}
}

// submit submits the example and returns its id.
func (w *world) submit() string {
	w.t.Helper()
	return w.submitFile(w.job)
}

func (w *world) submitFile(file string) string {
	w.t.Helper()
	id := regexp.MustCompile(`[0-9a-f]{32}`).FindString(w.run("submit", file, "--detach"))
	if id == "" {
		w.t.Fatal("no id")
	}
	return id
}

// looked checks a page for accessibility and overflow, light, dark and on a phone's width, and takes screenshots.
func (w *world) looked(name string) {
	w.t.Helper()
	for _, v := range []struct {
		name, scheme  string
		width, height int64
	}{{"", "light", 1200, 900}, {"-dark", "dark", 1200, 900}, {"-phone", "light", 390, 844}} {
		media := emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: v.scheme}})
		w.do(media, emulation.SetDeviceMetricsOverride(v.width, v.height, 1, v.width < 500))
		var wide bool
		w.do(chromedp.Evaluate("document.documentElement.scrollWidth > window.innerWidth + 1", &wide))
		if wide {
			w.t.Errorf("%s%s: the page is wider than the window", name, v.name)
		}
		if w.axe != "" {
			var findings string
			w.do(chromedp.Evaluate(w.axe+";0", nil), chromedp.Evaluate(
				`axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}).then(r => JSON.stringify(r.violations
					.filter(v => v.impact === "serious" || v.impact === "critical")
					.map(v => [v.id, v.impact, v.nodes.slice(0, 3).map(n => n.html.slice(0, 200) + " " + n.failureSummary)])))`,
				&findings, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
			var list []any
			if err := json.Unmarshal([]byte(findings), &list); err != nil || len(list) > 0 {
				w.t.Errorf("%s%s: axe finds %s, %v", name, v.name, findings, err)
			}
		}
		if *screenshots != "" {
			if err := os.MkdirAll(*screenshots, 0o755); err != nil {
				w.t.Fatal(err)
			}
			var png []byte
			w.do(chromedp.Sleep(100*time.Millisecond), chromedp.CaptureScreenshot(&png))
			if err := os.WriteFile(filepath.Join(*screenshots, name+v.name+".png"), png, 0o644); err != nil {
				w.t.Fatal(err)
			}
		}
	}
	w.do(emulation.SetEmulatedMedia(), emulation.ClearDeviceMetricsOverride())
}

// TestWalk opens the console, approves a job, watches it and reads its result, denies another one, searches the audit
// log, and explores the plan. The browser's console must stay empty.
func TestWalk(t *testing.T) {
	w := newWorld(t)
	var at string
	w.do(chromedp.Location(&at))
	if strings.Contains(at, "token") || at != w.base+"/" {
		t.Errorf("the address is %s", at)
	}

	first := w.submit()
	w.open("/approvals")
	w.sees("review " + first[:8])
	w.looked("approvals")
	w.do(chromedp.Click(`a[href$="`+first+`"]`), chromedp.WaitVisible(`button[value="approve"]`))
	w.sees("sent online in")
	w.sees("Ways from bob's inputs")
	w.looked("approval")
	w.do(chromedp.SendKeys("textarea", "agreed"), chromedp.Click(`button[value="approve"]`), chromedp.WaitVisible(".flash"))
	w.sees("is approved at bob")
	w.sees("done") // without loading the page again
	w.sees("results")
	w.looked("job")
	w.do(chromedp.Click(`a[href*="/results"]`), chromedp.WaitVisible(".numbers"))
	w.sees("Result 0")
	w.looked("results")
	w.do(chromedp.Navigate(w.base+"/jobs/"+first+"/report?node=alice"), chromedp.WaitReady("#graph svg"))
	w.sees("Run of program.mlir")

	second := w.submit()
	w.open("/approvals/bob/" + second)
	w.sees("It is the same program, byte for byte")
	w.do(chromedp.Click("form details summary"), chromedp.WaitVisible(`input[name="always"]`))
	w.looked("always")
	w.do(chromedp.SendKeys("textarea", "no consent for this study"), chromedp.Click(`button[value="deny"]`),
		chromedp.WaitVisible(".flash"))
	w.sees("denied by admin at bob: no consent for this study")

	third := w.submit()
	w.open("/approvals/bob/" + third)
	w.do(chromedp.Click("form details summary"), chromedp.Click(`input[name="always"]`), chromedp.Click(`button[value="approve"]`),
		chromedp.WaitVisible(".flash"))
	w.sees("has the new rule")
	w.submit() // needs no approval any more
	w.open("/")
	w.sees("done")
	w.looked("jobs")
	w.do(chromedp.KeyEvent("/"))
	var focused string
	w.do(chromedp.Evaluate("document.activeElement.name", &focused))
	if focused != "find" {
		t.Errorf("the key / leads to %q", focused)
	}

	w.open("/audit?node=bob")
	w.sees("the chain is intact")
	w.looked("audit")
	w.do(chromedp.SendKeys(`input[name="q"]`, "no consent\n"), chromedp.WaitReady("main"))
	w.sees("1 event found")
	w.open("/audit/inputs?node=bob")
	w.sees("by alice")
	w.looked("inputs")
	w.open("/health")
	w.sees("certificate")
	time.Sleep(4 * time.Second) // two samples of the metrics
	w.sees("the last")
	w.looked("health")
	w.walkService()
	w.walkWaves()

	w.open("/explore")
	w.sees("ring 64")
	w.do(chromedp.SetValue(`select[name="ring"]`, "128"),
		chromedp.Evaluate(`document.querySelector('select[name="ring"]').dispatchEvent(new Event("input", {bubbles: true}))`, nil))
	w.sees("ring 128") // without a click
	w.looked("explore")
	w.do(chromedp.Click("#plan td a"), chromedp.WaitVisible(".source .hot"))
	w.open("/explore/compare?a=as+in+the+file&b=ring+128")
	w.sees("Operations that differ")
	w.looked("trials")

	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range w.errors {
		t.Errorf("the browser's console: %s", e)
	}
}

// walkService opens a service, which the rule that was added allows, sends it requests, and looks at their batches and at the
// dealer's lead.
func (w *world) walkService() {
	w.t.Helper()
	id := regexp.MustCompile(`[0-9a-f]{32}`).FindString(w.run("serve", "service.yaml", "--batch", "4"))
	w.open("/services")
	w.sees("serves: 0 answered")
	var all sync.WaitGroup
	for i := range 10 {
		all.Go(func() {
			c := exec.Command(w.tacet, "request", id, "--out", fmt.Sprint("answer", i))
			c.Dir = w.dir
			if out, err := c.CombinedOutput(); err != nil {
				w.t.Errorf("request: %v %s", err, out)
			}
		})
	}
	w.sees("serves: 10 answered") // without loading the page again
	all.Wait()
	w.looked("services")
	w.do(chromedp.Click(`#services a[href*="/services/bob/"]`), chromedp.WaitVisible(".cards"))
	w.sees("0 of 10")
	w.sees("whose correlations are ready")
	w.looked("service")
	w.run("cancel", id)
	w.open("/jobs/" + id)
	w.sees("cancelled") // at one node at least: another one may notice first that its peer has left
}

// walkWaves approves a job whose results are copies of an input, after its warnings, and looks at their plots and images.
func (w *world) walkWaves() {
	w.t.Helper()
	id := w.submitFile("waves.yaml")
	w.open("/approvals/bob/" + id)
	w.sees("result 0: tensor<32x32xf32> may hold elements of argument 0 of ours unchanged")
	w.sees("result 0: tensor<32x32xf32> is as large as argument 0")
	w.sees("result 1: tensor<32xf32> has the size of one row of argument 0 of ours")
	w.do(chromedp.Click(`button[value="approve"]`), chromedp.WaitVisible(".flash"))
	w.sees("done")
	w.open("/jobs/" + id + "/results?node=alice")
	w.do(chromedp.WaitVisible(".images img"), chromedp.WaitVisible("svg.plot"))
	var wide int
	w.do(chromedp.Evaluate(`document.querySelector(".images img").naturalWidth`, &wide))
	if wide != 32 {
		w.t.Errorf("the image of a result is %d pixels wide", wide)
	}
	w.do(chromedp.ScrollIntoView("#r1"), chromedp.Evaluate(`document.getElementById("r1").scrollIntoView({behavior: "instant"})`, nil))
	w.looked("waves")

	text, err := os.ReadFile(filepath.Join(w.dir, "waves.mlir"))
	if err != nil {
		w.t.Fatal(err)
	}
	write(w.t, filepath.Join(w.dir, "waves.mlir"), []byte(strings.Replace(string(text), "[3:4, 0:32]", "[7:8, 0:32]", 1)))
	again := w.submitFile("waves.yaml")
	w.open("/approvals/bob/" + again)
	w.sees("Compared with the last approved program")
	w.do(chromedp.WaitVisible(".diff .added"))
	w.sees("[7:8, 0:32]")
	w.do(chromedp.ScrollIntoView(".diff"))
	w.looked("changes")
	w.do(chromedp.Click(`button[value="deny"]`), chromedp.WaitVisible(".flash"))
}
