package tui

func newScreen(o Options) face { return newLines(o) }
