package sandbox

// Layer is a layer of the sandbox.
type Layer struct {
	Name  string `json:"name"`
	OK    bool   `json:"ok"`
	Tried bool   `json:"tried"` // false if a lower layer is missing, so that this one could not be tested
	Text  string `json:"text"`
}
