// Package browser has no code: its test walks through the console in a headless Chromium, over real nodes.
package browser
