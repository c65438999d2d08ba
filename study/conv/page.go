package conv

// page writes the study's page and files.
func (s *findings) page() error {
	p := s.lab.NewPage("conv", "Standard and Winograd convolutions of secrets")
	p.Text("Written by `tacet study conv`. %s", s.lab.Conditions())
	p.Text("Two parties with `semi2k`, ring 64, and a dealer. A layer's kernel is one party's, who transforms it for Winograd alone and in clear; the first layer's image is the other's, and every other layer's input is what a ReLU gave. " +
		"Bytes are of both parties. Input bytes are those of sharing the layer's arguments: the kernel (which is shared once, for as many images as one likes) and images. " +
		"Online bytes, rounds, dealt bytes and work are the convolution's alone, without the ReLU before it. What plans say of bytes and rounds is what runs sent.")
	p.Heading("Bounds")
	p.Bars(s.bars())
	p.Heading("Does Winograd pay?")
	p.Text("%s", s.verdict())
	p.Text("What a convolution sends online is its input, opened once under a mask, and the truncation of its results: the number of products is in it nowhere. Winograd makes fewer products, but of transformed tiles, which overlap: " +
		"(m+2)²/m² times as many elements as the input has. So it is the input that is opened, or shared by its owner, and its tiles are made of the open input: linear maps of what is masked cost no message. What Winograd cannot avoid to send more of is the " +
		"kernel, which its owner transforms (its transform divides by 24) and shares once: 16/9 or 36/9 as large.")
	p.Text("What it saves are multiplications on the spot, and those are cheap: matrix products modulo 2^64 run near the processor's peak. The transforms move and add up (m+2)²/m² times the image, of the open image and of each party's share of its mask, " +
		"and again of the results, all of it bound by memory; what is dealt grows with the products' results by the same factor, and far more elementwise; and errors grow, with F(4×4) by some hundred times. Over a network nothing is gained, and where a layer gains something it is milliseconds, at such errors: there is therefore no `--set conv=winograd`.")
	p.Heading("Beside SPU")
	p.Text("The first layer at 32×32 (3 → 64 channels), in bytes. SPU's standard convolution is published as 235,008 for the product and 524,288 for the truncation. Tacet's are those of both parties: of the image as its owner shares it, of the convolution, without the reveal of the results, and of the kernel, which is shared once for all images.")
	p.Table("published", s.publishedTable())
	p.Heading("Whole networks")
	p.Text("All convolutions of ResNet18 one after the other, by the standard method where Winograd is not possible (strides, kernels other than 3×3). Seconds on networks are predicted, online, with the ReLU before each layer; an empty cell means that not " +
		"all layers were run, because elementwise products would not have fitted into memory.")
	p.Table("totals", s.totalTable())
	p.Heading("Layer by layer")
	p.Text("Work is of both parties in milliseconds, by the plan and in the fastest of three runs (other work on the machine shows all the same), without the transform of the kernel in clear, once for all images. The error is the largest of a run, of results about as large as 1 … 5: transformed kernels are rounded to 18 fraction bits too, and F(4×4) multiplies that up.")
	for _, net := range s.nets() {
		name := map[int]string{32: "small", 224: "large"}[net]
		p.Table(name, s.costTable(net))
		p.Figure(name+"-layers", "costs of layers by method", s.figure(net))
	}
	return p.Close()
}
