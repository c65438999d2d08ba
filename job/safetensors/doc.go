// Package safetensors reads and writes files of named tensors in the format safetensors
// (https://huggingface.co/docs/safetensors): eight bytes with the length of a header, the header, a JSON object that
// gives each tensor's element type, shape and place, and the elements, little-endian in row-major order.
//
// A file comes from outside. Open and New check its header completely before anything is allocated: the header's length
// and structure are bounded, names occur once, each tensor's place has the size that its type says, and the places cover
// the rest of the file without gaps and overlaps. Errors name the tensor. Elements are read by Read, one tensor at a
// time. Element types are those of package tensor that the format has: BOOL, U8 to U64, I8 to I64, F16, BF16, F32, F64.
package safetensors
