// Literals of Go samples look as gofmt writes them.
import { pairs } from '../../src/platform-contract/samples/go.ts';

it('stand on one line if they fit', () => {
  expect(
    pairs('T', [
      ['A', '1'],
      ['Long', '2'],
    ]),
  ).toBe('T{A: 1, Long: 2}');
});

it('have their values in one column, separately before and after a value of several lines', () => {
  const text = 'x'.repeat(60);
  expect(
    pairs('T', [
      ['ID', `"${text}"`],
      ['Name', '1'],
      ['LongestOfAll', 'U{\n\tA: 1,\n}'],
      ['Note', '2'],
      ['IsOn', 'true'],
      ['At', '3'],
    ]),
  ).toBe(`T{
	ID:   "${text}",
	Name: 1,
	LongestOfAll: U{
		A: 1,
	},
	Note: 2,
	IsOn: true,
	At:   3,
}`);
});
