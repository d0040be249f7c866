package gantry

// Pages walks through a list of any length:
//
//	hosts := client.AllHosts(ctx, nil)
//	for hosts.Next() {
//		fmt.Println(hosts.Value().Hostname)
//	}
//	if err := hosts.Err(); err != nil { ... }
type Pages[T any] struct {
	fetch   func(cursor *string) ([]T, *string, error)
	entries []T
	index   int
	cursor  *string
	isOver  bool
	err     error
}

func newPages[T any](fetch func(cursor *string) ([]T, *string, error)) *Pages[T] {
	return &Pages[T]{fetch: fetch, index: -1}
}

// Next moves to the next entry, and fetches its page if it has to.
func (p *Pages[T]) Next() bool {
	for {
		if p.index+1 < len(p.entries) {
			p.index++
			return true
		}
		if p.isOver || p.err != nil {
			return false
		}
		p.entries, p.cursor, p.err = p.fetch(p.cursor)
		p.index = -1
		p.isOver = p.cursor == nil
	}
}

// Value is the entry that Next moved to.
func (p *Pages[T]) Value() T { return p.entries[p.index] }

// Err is the error that ended the walk, or nil.
func (p *Pages[T]) Err() error { return p.err }
