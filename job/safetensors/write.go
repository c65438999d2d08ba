package safetensors

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"

	"github.com/tacet-mpc/tacet/tensor"
)

// Tensor is a tensor for Write.
type Tensor struct {
	Name  string
	Array *tensor.Array
}

// Write writes tensors to w in the format safetensors, in their order. It returns an error if two have the same name,
// or if the format lacks an element type.
func Write(w io.Writer, tensors []Tensor) error {
	type place struct {
		DType   string   `json:"dtype"`
		Shape   []int    `json:"shape"`
		Offsets [2]int64 `json:"data_offsets"`
	}
	header := []byte{'{'}
	seen := map[string]bool{metadataKey: true}
	at := int64(0)
	for i, t := range tensors {
		code := ""
		for name, d := range codes {
			if d == t.Array.DType {
				code = name
			}
		}
		if code == "" {
			return fmt.Errorf("safetensors: tensor %q: the format has no element type %v", t.Name, t.Array.DType)
		}
		if seen[t.Name] {
			return fmt.Errorf("safetensors: the name %q cannot be used, or is used twice", t.Name)
		}
		seen[t.Name] = true
		end := at + int64(t.Array.Len())*int64(width(t.Array.DType))
		key, err := json.Marshal(t.Name)
		if err != nil {
			return fmt.Errorf("safetensors: name %q: %w", t.Name, err)
		}
		value, err := json.Marshal(place{code, append([]int{}, t.Array.Shape...), [2]int64{at, end}})
		if err != nil {
			return fmt.Errorf("safetensors: tensor %q: %w", t.Name, err)
		}
		if i > 0 {
			header = append(header, ',')
		}
		header = append(append(append(header, key...), ':'), value...)
		at = end
	}
	header = append(header, '}')
	for len(header)%8 != 0 { // so that elements are aligned
		header = append(header, ' ')
	}
	if _, err := w.Write(append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...)); err != nil {
		return fmt.Errorf("safetensors: write header: %w", err)
	}
	for _, t := range tensors {
		if err := binary.Write(w, binary.LittleEndian, t.Array.Data); err != nil {
			return fmt.Errorf("safetensors: write tensor %q: %w", t.Name, err)
		}
	}
	return nil
}
