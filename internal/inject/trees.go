package inject

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
)

// tree asks three questions in a row: is a feature above a value? The answer is the leaf that they
// lead to. The children of question k are 2k+1 and 2k+2.
type tree struct {
	feature [questions]uint8
	above   [questions]int8
	leaf    [8]int8
}

// questions is the number of questions in a tree.
const questions = 7

const treeBytes = 22

// trees are a sum of trees.
type trees struct {
	list  []tree
	rest  []int   // bound of what the trees from here on may add
	scale float64 // scale of a leaf
	base  float64
}

// leafOf returns the leaf of a part. It has no branches, because the processor could not predict
// them.
func (t *tree) leafOf(x *[vectorSize]int8) int {
	k := uint(0)
	for range 3 {
		above := int(t.above[k]) - int(x[t.feature[k]%vectorSize])
		k = 2*k + 1 + uint(above)>>63
	}
	return int(k - questions)
}

// stride is the number of trees between two checks whether the others can still matter.
const stride = 8

// score returns the sum of the trees. Once the sum cannot reach least any more, it returns the
// bound of the sum: most parts of most outputs are far from being orders.
func (ts *trees) score(x *[vectorSize]int8, least float64) float64 {
	enough := math.Floor((least - ts.base) / ts.scale)
	sum := 0
	for i := 0; i < len(ts.list); i += stride {
		if might := sum + ts.rest[i]; float64(might) < enough {
			sum = might
			break
		}
		for j := i; j < min(i+stride, len(ts.list)); j++ {
			t := &ts.list[j]
			sum += int(t.leaf[t.leafOf(x)])
		}
	}
	return ts.base + ts.scale*float64(sum)
}

// bound computes what each tree and those after it may add: a third of the sum of their largest
// leaves. No part of the corpora on which the trees were tested reached that (a soft cascade, after
// Bourdev and Brandt, 2005).
func (ts *trees) bound() {
	ts.rest = make([]int, len(ts.list)+1)
	most := 0
	for i := len(ts.list) - 1; i >= 0; i-- {
		most += int(slices.Max(ts.list[i].leaf[:]))
		ts.rest[i] = most / 3
	}
}

func (ts *trees) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(ts.scale))
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(ts.base))
	for _, t := range ts.list {
		b = append(b, t.feature[:]...)
		for _, v := range t.above {
			b = append(b, byte(v))
		}
		for _, v := range t.leaf {
			b = append(b, byte(v))
		}
	}
	return b
}

func parseTrees(b []byte) (*trees, error) {
	if len(b) < 16 || (len(b)-16)%treeBytes != 0 {
		return nil, errModel
	}
	ts := &trees{
		scale: math.Float64frombits(binary.LittleEndian.Uint64(b)),
		base:  math.Float64frombits(binary.LittleEndian.Uint64(b[8:])),
	}
	if math.IsNaN(ts.scale+ts.base) || math.IsInf(ts.scale+ts.base, 0) || ts.scale < 0 {
		return nil, errModel
	}
	for b = b[16:]; len(b) > 0; b = b[treeBytes:] {
		var t tree
		copy(t.feature[:], b)
		for i := range t.above {
			t.above[i] = int8(b[7+i])
			if int(t.feature[i]) >= contextFeatures {
				return nil, errModel
			}
		}
		for i := range t.leaf {
			t.leaf[i] = int8(b[14+i])
		}
		ts.list = append(ts.list, t)
	}
	ts.bound()
	return ts, nil
}

// sight is a segment for growing trees.
type sight struct {
	x     [vectorSize]int8
	start float64 // score before the trees
	y, w  float64
}

// The settings for growing trees.
const (
	treeCount  = 300
	treeRate   = 0.08
	treeLambda = 6   // makes leaves with little weight count little
	treeLeast  = 4   // least weight of a leaf
	treeRows   = 0.7 // share of the sights that one tree sees
	treeCols   = 0.5 // share of the features that one tree sees
)

// grow fits trees one after the other, each to the errors of the previous ones. The same sights in
// the same order give the same trees.
func grow(data []sight, base float64) *trees {
	score := make([]float64, len(data))
	for i := range data {
		score[i] = base + data[i].start
	}
	g, h := make([]float64, len(data)), make([]float64, len(data))
	node := make([]int8, len(data)) // position of a sight in the tree, -1 if the tree does not see it
	random := rand.New(rand.NewPCG(1, 5))
	grown := make([]tree, treeCount)
	leaves := make([][8]float64, treeCount)
	largest := 0.0
	for n := range grown {
		t := &grown[n]
		for i := range data {
			p := sigmoid(score[i])
			g[i], h[i] = (p-data[i].y)*data[i].w, p*(1-p)*data[i].w
			node[i] = -1
			if random.Float64() < treeRows {
				node[i] = 0
			}
		}
		var use [contextFeatures]bool
		for f := range use {
			use[f] = random.Float64() < treeCols
		}
		for k := range t.feature {
			t.feature[k], t.above[k] = ask(data, g, h, node, int8(k), &use)
			for i := range node {
				if node[i] == int8(k) {
					node[i] = int8(2*k + 1)
					if data[i].x[t.feature[k]] > t.above[k] {
						node[i]++
					}
				}
			}
		}
		var sums [8][2]float64
		for i := range node {
			if node[i] >= 0 {
				l := &sums[int(node[i])-questions]
				l[0] += g[i]
				l[1] += h[i]
			}
		}
		for l, s := range sums {
			leaves[n][l] = -treeRate * s[0] / (s[1] + treeLambda)
			largest = max(largest, math.Abs(leaves[n][l]))
		}
		for i := range data {
			score[i] += leaves[n][t.leafOf(&data[i].x)]
		}
	}
	ts := &trees{list: grown, scale: largest / 127, base: base}
	for n := range grown {
		for l, v := range leaves[n] {
			if largest > 0 {
				grown[n].leaf[l] = int8(math.Round(v / ts.scale))
			}
		}
	}
	ts.bound()
	return ts
}

// ask returns the question that best divides the sights at a node.
func ask(data []sight, g, h []float64, node []int8, at int8, use *[contextFeatures]bool) (feature uint8, above int8) {
	var all [2]float64
	var here []int
	for i := range node {
		if node[i] == at {
			here = append(here, i)
			all[0] += g[i]
			all[1] += h[i]
		}
	}
	above = math.MaxInt8 // all go left
	if all[1] < 2*treeLeast {
		return 0, above
	}
	gain := func(s [2]float64) float64 { return s[0] * s[0] / (s[1] + treeLambda) }
	best := gain(all) + 0.01
	for f := range use {
		if !use[f] {
			continue
		}
		var sums [256][2]float64
		for _, i := range here {
			s := &sums[int(data[i].x[f])+128]
			s[0] += g[i]
			s[1] += h[i]
		}
		var left [2]float64
		for v := range sums {
			if sums[v][1] == 0 {
				continue
			}
			left[0] += sums[v][0]
			left[1] += sums[v][1]
			right := [2]float64{all[0] - left[0], all[1] - left[1]}
			if left[1] < treeLeast || right[1] < treeLeast {
				continue
			}
			if x := gain(left) + gain(right); x > best {
				best, feature, above = x, uint8(f), int8(v-128)
			}
		}
	}
	return feature, above
}
