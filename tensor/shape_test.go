package tensor

import "testing"

func TestShape(t *testing.T) {
	for _, c := range []struct {
		shape Shape
		size  int
		text  string
		typ   string
	}{
		{nil, 1, "", "tensor<f32>"},
		{Shape{}, 1, "", "tensor<f32>"},
		{Shape{4, 5}, 20, "4x5", "tensor<4x5xf32>"},
		{Shape{3, 0, 2}, 0, "3x0x2", "tensor<3x0x2xf32>"},
	} {
		if c.shape.Size() != c.size || c.shape.String() != c.text || (Type{F32, c.shape}).String() != c.typ {
			t.Errorf("%v: %d, %q, %s", []int(c.shape), c.shape.Size(), c.shape, Type{F32, c.shape})
		}
		if err := c.shape.Check(); err != nil {
			t.Error(err)
		}
		if clone := c.shape.Clone(); !clone.Equal(c.shape) || clone == nil {
			t.Errorf("%v clones to %v", c.shape, clone)
		}
	}
	for _, s := range []Shape{{-1}, {1 << 41}, {1 << 21, 1 << 21}, {1 << 40, 0, -3}} {
		if s.Check() == nil {
			t.Errorf("%v is taken", []int(s))
		}
	}
	if (Shape{2, 3}).Equal(Shape{3, 2}) || (Shape{2}).Equal(Shape{2, 1}) || (Type{F32, nil}).Equal(Type{F64, nil}) {
		t.Error("different shapes or types are equal")
	}
}

func TestStrides(t *testing.T) {
	got := Shape{2, 3, 4}.Strides()
	if len(got) != 3 || got[0] != 12 || got[1] != 4 || got[2] != 1 {
		t.Error(got)
	}
}

func TestCommonShape(t *testing.T) {
	for _, c := range []struct {
		a, b, want Shape
	}{
		{Shape{}, Shape{2, 3}, Shape{2, 3}},
		{Shape{3}, Shape{2, 3}, Shape{2, 3}},
		{Shape{2, 1}, Shape{3}, Shape{2, 3}},
		{Shape{1}, Shape{0}, Shape{0}},
		{Shape{2}, Shape{3}, nil},
		{Shape{2, 3}, Shape{2}, nil},
	} {
		for _, x := range [][2]Shape{{c.a, c.b}, {c.b, c.a}} {
			got, ok := CommonShape(x[0], x[1])
			if ok != (c.want != nil) || ok && !got.Equal(c.want) {
				t.Errorf("%v and %v: %v, %v; want %v", x[0], x[1], got, ok, c.want)
			}
		}
	}
}
