package inject

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sync"
)

// Model is a logistic regression over hashed features.
type Model struct {
	weights []int8
	scale   float64 // of a weight
	bias    float64
	sources [sha256.Size]byte // digest of the project's own texts that it was trained on
	tool    bool              // it judges parts of tool output
	senses  bool              // it judges input and reads the senses of senses.go
	trees   *trees            // judge parts of tool output by the text around them; nil in the input model
}

// These begin the files of the models. The number is the version of the features and of their
// buckets.
const (
	inputMagic   = "umpire-guard-model 5 input\n"
	toolMagic    = "umpire-guard-model 3 tool\n"
	requestMagic = "umpire-guard-model 1 request\n"
)

// modelHead is the number of bytes before the weights: the scale, the bias and the sources.
const modelHead = 16 + sha256.Size

// errModel means that bytes are not a model of this version.
var errModel = errors.New("not a model of this version: train it again")

// MarshalBinary implements encoding.BinaryMarshaler.
func (m *Model) MarshalBinary() ([]byte, error) {
	var b bytes.Buffer
	switch {
	case m.senses:
		b.WriteString(inputMagic)
	case m.trees != nil:
		b.WriteString(toolMagic)
	default:
		b.WriteString(requestMagic)
	}
	for _, v := range []float64{m.scale, m.bias} {
		if err := binary.Write(&b, binary.LittleEndian, math.Float64bits(v)); err != nil {
			return nil, err
		}
	}
	b.Write(m.sources[:])
	for _, w := range m.weights {
		b.WriteByte(byte(w))
	}
	if m.trees == nil {
		return b.Bytes(), nil
	}
	return m.trees.append(b.Bytes()), nil
}

// UnmarshalBinary implements encoding.BinaryUnmarshaler.
func (m *Model) UnmarshalBinary(b []byte) error {
	end := bytes.IndexByte(b, '\n') + 1
	magic, rest := string(b[:end]), b[end:]
	input := magic == inputMagic
	n := buckets(input)
	if !input && magic != toolMagic && magic != requestMagic || len(rest) < modelHead+n {
		return errModel
	}
	m.scale = math.Float64frombits(binary.LittleEndian.Uint64(rest))
	m.bias = math.Float64frombits(binary.LittleEndian.Uint64(rest[8:]))
	if math.IsNaN(m.scale+m.bias) || math.IsInf(m.scale+m.bias, 0) {
		return errModel
	}
	copy(m.sources[:], rest[16:modelHead])
	m.weights = make([]int8, n)
	for i, w := range rest[modelHead : modelHead+n] {
		m.weights[i] = int8(w)
	}
	rest = rest[modelHead+n:]
	m.tool, m.senses, m.trees = !input, input, nil
	if magic == toolMagic {
		var err error
		m.trees, err = parseTrees(rest)
		return err
	}
	if len(rest) > 0 {
		return errModel
	}
	return nil
}

// logit returns the logit of a text with these features.
func (m *Model) logit(features []uint32) float64 {
	if len(features) == 0 {
		return m.bias
	}
	sum := 0
	for _, i := range features {
		sum += int(m.weights[i])
	}
	return m.bias + m.scale*float64(sum)/length(len(features))
}

// length returns the divisor of a text's sum, so that long texts do not weigh more.
func length(features int) float64 { return math.Sqrt(float64(features) + 20) }

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

//go:embed input.model
var inputModel []byte

//go:embed tool.model
var toolModel []byte

//go:embed request.model
var requestModel []byte

func load(name string, b []byte) *Model {
	m := new(Model)
	if err := m.UnmarshalBinary(b); err != nil {
		panic(fmt.Sprintf("inject: %s: %v", name, err)) // part of the program
	}
	return m
}

// Input returns the model for users' texts.
var Input = sync.OnceValue(func() *Model { return load("input.model", inputModel) })

// Tool returns the model for parts of tool outputs.
var Tool = sync.OnceValue(func() *Model { return load("tool.model", toolModel) })

// Request returns the model of requests to an assistant, among the parts of documents.
var Request = sync.OnceValue(func() *Model { return load("request.model", requestModel) })

// The logits at which a text is rejected and a segment is replaced. They were chosen on texts of
// sources that were not in the training data; docs/guard-model.md has the figures.
const (
	InputThreshold = 1.1
	ToolThreshold  = 3.0 // by the words alone
)

// ToolScore returns the score, 0 to 1, of a segment with a logit from JudgeWords or JudgeSegments.
func ToolScore(logit float64) float64 { return sigmoid(logit) }
