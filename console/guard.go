package console

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net/http"
	"strings"
)

// cookieName is the name of the cookie that holds the token.
const cookieName = "tacet_console"

// policyText is the content security policy of all pages: scripts, styles, images and requests of this server only,
// and nothing inline.
const policyText = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// guard decides which requests the server answers.
type guard struct {
	token string          // in the address and in the cookie
	base  string          // path of all pages, "/" and random digits
	hosts map[string]bool // values of the header Host that name this server
}

// newGuard returns a guard with a new token, for a server at this port.
func newGuard(port string) *guard {
	return &guard{
		token: secret(32), base: "/" + secret(12),
		hosts: map[string]bool{"127.0.0.1:" + port: true, "localhost:" + port: true},
	}
}

// secret returns n random bytes in hexadecimal.
func secret(n int) string {
	b := make([]byte, n)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// same compares a secret with a text from outside, in a time that does not depend on where they differ.
func same(secret, text string) bool {
	a, b := sha256.Sum256([]byte(secret)), sha256.Sum256([]byte(text))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// key is the value that each form of an action holds. It follows from the token.
func (g *guard) key() string {
	m := hmac.New(sha256.New, []byte(g.token))
	m.Write([]byte("tacet console: actions"))
	return hex.EncodeToString(m.Sum(nil))
}

// maxForm bounds the body of an action, in bytes.
const maxForm = 64 << 10

// protect answers requests that may not pass, and gives the others to h without the base path.
func (g *guard) protect(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", policyText)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "same-origin") // with no-referrer, browsers send Origin: null with forms
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		header.Set("Cache-Control", "no-store")
		if !g.hosts[r.Host] {
			refuse(w, http.StatusMisdirectedRequest, "This server answers at 127.0.0.1 and localhost only.")
			return
		}
		path, ok := strings.CutPrefix(r.URL.Path, g.base)
		if !ok || path != "" && path[0] != '/' {
			refuse(w, http.StatusNotFound, "There is nothing here. Open the address that tacet console has printed.")
			return
		}
		if given := r.URL.Query().Get("token"); given != "" && r.Method == http.MethodGet && (path == "" || path == "/") {
			if !same(g.token, given) {
				refuse(w, http.StatusForbidden,
					"The token is wrong: it is another one at each start. Open the address that tacet console has printed.")
				return
			}
			http.SetCookie(w, &http.Cookie{
				Name: cookieName, Value: g.token, Path: g.base + "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
			})
			http.Redirect(w, r, g.base+"/", http.StatusSeeOther)
			return
		}
		if c, err := r.Cookie(cookieName); err != nil || !same(g.token, c.Value) {
			refuse(w, http.StatusForbidden, "The token is missing. Open the address that tacet console has printed, with its token.")
			return
		}
		switch r.Method {
		case http.MethodGet, http.MethodHead:
			if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
				refuse(w, http.StatusForbidden, "Another site has asked for this page. Open it from the console.")
				return
			}
		case http.MethodPost:
			if why := g.foreign(w, r); why != "" {
				refuse(w, http.StatusForbidden, why)
				return
			}
		default:
			refuse(w, http.StatusMethodNotAllowed, "This method is not served.")
			return
		}
		if path == "" {
			path = "/"
		}
		inner := r.Clone(r.Context())
		inner.URL.Path, inner.URL.RawPath = path, ""
		inner.Form, inner.PostForm = r.Form, r.PostForm
		h.ServeHTTP(w, inner)
	})
}

// foreign says why an action was not asked for by a page of this server; "" if it was.
func (g *guard) foreign(w http.ResponseWriter, r *http.Request) string {
	if r.Header.Get("Origin") != "http://"+r.Host {
		return "The action does not come from a page of this console (header Origin)."
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" {
		return "The action does not come from a page of this console (header Sec-Fetch-Site)."
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		return "The action's form cannot be read."
	}
	if !same(g.key(), r.PostForm.Get("key")) {
		return "The action's form has no valid key: open the page again."
	}
	return ""
}

// refuse answers with a text.
func refuse(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	w.Write([]byte(why + "\n")) // an error means that the caller has disconnected
}
