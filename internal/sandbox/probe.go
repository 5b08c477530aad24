package sandbox

// Layer is one of the things that a box is made of.
type Layer struct {
	Name  string `json:"name"`
	OK    bool   `json:"ok"`
	Tried bool   `json:"tried"` // false: a layer below is missing, so nobody knows
	Text  string `json:"text"`
}
