import {expect, test} from 'vitest'
import {renderMarkdownPage} from '../../../../src/formats/write/table/markdown-page.js'

const columns = [{name: ''}, {name: 'id'}, {name: 'now'}, {name: 'new'}]
const table = {caption: 'Changes', what: 'changes', columns}

function render(rows: string[][], mostBytes = 60_000): string {
  const facts = [['input', 'a|b.csv']] as const
  return renderMarkdownPage(
    {title: 'Plan: sites update', facts, sections: [{title: 'What it sends', tables: [{...table, rows}]}], footer: []},
    mostBytes,
  )
}

test('nothing in a comment is markup, or mentions a person', () => {
  const text = render([['+', '1', '', '@octocat <img src=x> `a` | #12 https://x.example\n### b']])

  expect(text.split('\n').at(-2)).toBe(
    '| + | <code>1</code> |  | <code>@octocat &lt;img src=x> \\`a\\` \\| #12 https://x.example<br>### b</code> |',
  )
  expect(text).toContain('| input | <code>a\\|b.csv</code> |')
})

test('a page of any length fits into a comment, which says what it leaves out', () => {
  const rows = Array.from({length: 10_000}, (_, place) => ['+', `${place}`, 'ü'.repeat(50), 'y'])

  const text = render(rows)

  const shown = text.match(/^\| \+ \| <code>\d+/gm)?.length ?? 0
  expect(Buffer.byteLength(text)).toBeLessThan(61_000)
  expect(shown).toBeGreaterThan(300)
  expect(text).toContain(`… and ${(10_000 - shown).toLocaleString('en')} more changes.`)
})
