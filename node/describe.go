package node

import (
	"errors"
	"io/fs"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/table"
)

// describe returns the types of the arrays in an input of this party. Nobody learns from a refusal whether an input
// exists that the policy does not let the caller describe. Of a table the names and kinds of columns and the number of rows are
// told, and levels that the catalogue declares. Each caller, whether it is answered or refused, may ask Limits.Descriptions times a
// minute: each request reads a file or its time, and writes to the log.
func (n *Node) describe(r *http.Request) (api.InputTypes, error) {
	if wait := n.described.Take(caller(r), time.Now()); wait > 0 {
		return api.InputTypes{}, refuse(http.StatusTooManyRequests,
			"%s has asked %s for too many types and shapes of inputs: %d in a minute are allowed (limits: descriptions); ask again in %d s",
			caller(r), n.config.Name, n.config.Limits.Descriptions, (wait+time.Second-1)/time.Second)
	}
	name := r.URL.Query().Get("name")
	p := n.policy.Policy()
	found, err := n.config.findInput(api.Input{Owner: n.config.Name, Name: name})
	if err != nil {
		found.name = name
	}
	if !p.MayDescribe(caller(r), found.name) {
		return api.InputTypes{}, refuse(http.StatusForbidden,
			"the policy of %s does not let %s learn types and shapes of the input %.200q (a rule that lets its submitters has the input in inputs, and describe: true)",
			n.config.Name, caller(r), name)
	}
	if err != nil {
		return api.InputTypes{}, refuse(http.StatusNotFound, "%w", err)
	}
	if found.table != nil {
		t, err := n.schemas.of(found)
		if err != nil {
			n.log.Error("a table that was to be described cannot be read", "input", found.name, "error", err)
			return api.InputTypes{}, refuse(http.StatusBadRequest, "the table %.200q of %s cannot be read (the log of %s says why)", name, n.config.Name, n.config.Name)
		}
		return n.told("schema of a table told", api.InputTypes{Name: found.name, Table: t}, r)
	}
	arrays, err := job.FileTypes(found.path)
	if err != nil {
		return api.InputTypes{}, refuse(http.StatusBadRequest, "the input %.200q of %s has no types: %w", name, n.config.Name, err)
	}
	out := api.InputTypes{Name: found.name}
	for _, a := range arrays {
		out.Arrays = append(out.Arrays, api.ArrayType{Name: a.Name, Type: a.Type.String(), Shape: a.Type.Shape, DType: a.Type.DType.String()})
	}
	return n.told("types of an input told", out, r)
}

// told logs that an input is described, or refuses to describe one whose description no client reads.
func (n *Node) told(what string, out api.InputTypes, r *http.Request) (api.InputTypes, error) {
	if err := out.CheckSize(); err != nil {
		return api.InputTypes{}, refuse(http.StatusBadRequest, "the input %.200q of %s cannot be described: %w (its owner may list fewer columns in the catalogue: columns)",
			out.Name, n.config.Name, err)
	}
	n.log.Info(what, "input", out.Name, "to", caller(r))
	return out, nil
}

// schemas keeps the schemas of the catalogue's tables. A table is read once as long as its file stays the same: describing it
// again takes neither the time nor the memory. The zero value is ready for use.
type schemas struct {
	reading sync.Mutex // held while a table is read: one is in memory at a time
	mu      sync.Mutex
	known   map[string]schema // by the name of the entry, so that the catalogue bounds it
}

// schema is what reading a file has told.
type schema struct {
	file os.FileInfo // of the file when it was read
	told *api.TableType
	err  error
}

// of returns the schema of a table of the catalogue.
func (s *schemas) of(in input) (*api.TableType, error) {
	file, err := os.Stat(in.path)
	if err != nil {
		return nil, err
	}
	if k, ok := s.find(in.name, file); ok {
		return k.told, k.err
	}
	s.reading.Lock()
	defer s.reading.Unlock()
	if k, ok := s.find(in.name, file); ok { // read for another request meanwhile
		return k.told, k.err
	}
	told, err := TableType(in.path, *in.table)
	if system := (*fs.PathError)(nil); !errors.As(err, &system) { // reading again could go well
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.known == nil {
			s.known = map[string]schema{}
		}
		s.known[in.name] = schema{file, told, err}
	}
	return told, err
}

// find returns what is known of an entry whose file is the one that was read, and unchanged.
func (s *schemas) find(entry string, file os.FileInfo) (schema, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, ok := s.known[entry]
	return k, ok && os.SameFile(k.file, file) && k.file.Size() == file.Size() && k.file.ModTime().Equal(file.ModTime())
}

// TableType reads a table and returns its schema. Its errors may contain values of the table: only the table's owner
// may see them.
func TableType(path string, t job.Table) (*api.TableType, error) {
	read, err := table.Read(path, t.Options)
	if err != nil {
		return nil, err
	}
	out := &api.TableType{Rows: read.Rows}
	for _, c := range read.Columns {
		d := api.ColumnType{Name: c.Name, Kind: c.Kind.String(), Levels: t.Options.Types[c.Name].Levels}
		var steps []table.Step
		for _, s := range t.Steps {
			if s.Column == c.Name {
				steps = append(steps, s)
			}
		}
		if len(steps) > 0 {
			// Without rows: names that need a column's values are not told.
			none := table.Table{File: read.File, Columns: []*table.Column{{Name: c.Name, Kind: c.Kind, Levels: d.Levels}}}
			if made, err := none.Prepare(steps, true); err == nil {
				d.Features = table.Names(made)
			}
		}
		out.Columns = append(out.Columns, d)
	}
	return out, nil
}
