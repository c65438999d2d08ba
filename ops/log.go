package ops

import (
	"fmt"
	"io"
	"log/slog"
)

// levels are those that configurations name.
var levels = map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}

// CheckLevel refuses what is no log level.
func CheckLevel(level string) error {
	if _, ok := levels[level]; !ok {
		return fmt.Errorf("no log level %q (there are debug, info, warn, error)", level)
	}
	return nil
}

// Logger writes JSON, one event a line, from a level on.
func Logger(w io.Writer, level string) (*slog.Logger, error) {
	if err := CheckLevel(level); err != nil {
		return nil, err
	}
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: levels[level]})), nil
}
