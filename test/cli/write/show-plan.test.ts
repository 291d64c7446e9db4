import {expect, test} from 'vitest'
import {toComment} from '../../../src/cli/write/show-plan.js'

const view = {title: 'Plan: sites update, 2 records', facts: [['input', 'a|b.csv']] as const, what: 'changes'}
const headers = ['id', 'now', 'new']

test('nothing in a comment is markup, or mentions a person', () => {
  const text = toComment({
    ...view,
    headers,
    rows: [['1', '', '@octocat <img src=x> `a` | #12 https://x.example\n### b']],
  })

  expect(text.split('\n').at(-2)).toBe(
    '| + | <code>1</code> |  | <code>@octocat &lt;img src=x> \\`a\\` \\| #12 https://x.example<br>### b</code> |',
  )
  expect(text).toContain('| input | <code>a\\|b.csv</code> |')
})

test('a plan of any length fits into a comment, which says what it leaves out', () => {
  const rows = Array.from({length: 10_000}, (_, place) => [`${place}`, 'x'.repeat(50), 'y'])

  const text = toComment({...view, headers, rows})

  const shown = text.match(/^\| \+ \| <code>\d+/gm)?.length ?? 0
  expect(text.length).toBeLessThan(65_536)
  expect(shown).toBeGreaterThan(500)
  expect(text).toContain(`… and ${(10_000 - shown).toLocaleString('en')} more changes.`)
})
