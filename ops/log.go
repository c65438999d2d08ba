package ops

import (
	"fmt"
	"io"
	"log/slog"
)

// levels maps the names that configurations use to log levels.
var levels = map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}

// CheckLevel returns an error unless level is debug, info, warn or error.
func CheckLevel(level string) error {
	if _, ok := levels[level]; !ok {
		return fmt.Errorf("no log level %q (there are debug, info, warn, error)", level)
	}
	return nil
}

// Logger returns a logger that writes events of this level (CheckLevel) and above to w, as JSON, one event per
// line.
func Logger(w io.Writer, level string) (*slog.Logger, error) {
	if err := CheckLevel(level); err != nil {
		return nil, err
	}
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: levels[level]})), nil
}
