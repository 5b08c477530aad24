package agent

// Remove removes tools, so that a test can put others in their place.
func (c *Caller) Remove(names ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range names {
		delete(c.tools, n)
	}
	kept := c.order[:0]
	for _, n := range c.order {
		if c.tools[n] != nil {
			kept = append(kept, n)
		}
	}
	c.order = kept
}
