// Command fit writes small.txt and large.txt, the tables of package fourier, into the working
// directory: for every target of Targets the table with the fewest harmonics that meets its
// tolerance and bound. It prints the tables' properties. Runs on one machine write the same files;
// another machine's may differ in the last digits.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"runtime"
	"sync"

	"github.com/tacet-mpc/tacet/mpc/fourier"
)

func main() {
	log.SetFlags(log.Ltime)
	log.SetPrefix("fit: ")
	flag.Parse()
	if flag.NArg() > 0 {
		log.Fatal("error: no arguments expected; run it by go generate in mpc/fourier")
	}
	for _, class := range []fourier.Class{fourier.Small, fourier.Large} {
		if err := write(class); err != nil {
			log.Fatalf("error: %v", err)
		}
	}
}

// write fits a class's tables and writes its file.
func write(class fourier.Class) error {
	targets := fourier.Targets(class)
	tables, aliases := fitAll(targets)
	var missing []string
	for i, t := range tables {
		if t == nil && !isAlias(aliases, targets[i].Name) {
			missing = append(missing, targets[i].Name)
		}
	}
	if missing != nil {
		return fmt.Errorf("class %v: no table of up to %d harmonics for %v", class, maxHarmonics, missing)
	}
	var found []*fourier.Table
	for _, t := range tables {
		if t != nil {
			found = append(found, t)
		}
	}
	var file bytes.Buffer
	if err := fourier.Write(&file, found, aliases); err != nil {
		return err
	}
	return os.WriteFile(class.String()+".txt", file.Bytes(), 0o644)
}

func isAlias(aliases []fourier.Alias, name string) bool {
	for _, a := range aliases {
		if a.Name == name {
			return true
		}
	}
	return false
}

// fitAll fits the targets concurrently, then those whose periods depend on other tables
// (Target.Like). The table of a target that is not met is nil.
func fitAll(targets []fourier.Target) ([]*fourier.Table, []fourier.Alias) {
	tables := make([]*fourier.Table, len(targets))
	byName := map[string]*fourier.Table{}
	each(targets, func(i int, t fourier.Target) {
		if t.Like == "" {
			tables[i] = search(t, periods(t))
		}
	})
	for i, t := range targets {
		byName[t.Name] = tables[i]
	}
	var aliases []fourier.Alias
	each(targets, func(i int, t fourier.Target) {
		like := byName[t.Like]
		if like == nil {
			return
		}
		if divisor := math.Round(math.Ldexp(1/like.Period, t.Shift)); divisor < 1<<40 {
			tables[i] = search(t, []float64{math.Ldexp(1/divisor, t.Shift)})
		}
	})
	for i, t := range targets {
		if t.Like != "" && byName[t.Like] != nil && tables[i] == nil {
			aliases = append(aliases, fourier.Alias{Name: t.Name, Of: t.Like})
		}
	}
	return tables, aliases
}

// each calls do on as many targets at a time as there are processors, starting with the last one,
// which takes longest.
func each(targets []fourier.Target, do func(int, fourier.Target)) {
	next := make(chan int)
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := range next {
				do(i, targets[i])
			}
		})
	}
	for i := len(targets) - 1; i >= 0; i-- {
		next <- i
	}
	close(next)
	wait.Wait()
}
