import {parseAst} from 'rolldown/parseAst'
import {expect, test} from 'vitest'
import {readSourceFiles} from './support/source-files.js'

type Found = {pattern: string; flags: string; path: string}

/** Every literal of the program; values of RegExp are made of these. */
function findLiterals(): Found[] {
  const found = new Map<string, Found>()
  for (const {path, text} of readSourceFiles('src')) {
    walk(parseAst(text, {lang: 'ts'}), ({pattern, flags}) => found.set(`${pattern}/${flags}`, {pattern, flags, path}))
  }
  return [...found.values()]
}

function walk(node: unknown, use: (regex: {pattern: string; flags: string}) => void): void {
  if (typeof node !== 'object' || node === null) return
  if ('regex' in node && node.regex) use(node.regex as Found)
  for (const part of Object.values(node)) walk(part, use)
}

const units = [...` 0aAx.-[_"'\n\t/\\{(<>=,:;$\u001b`, '0.', 'a ', ' a', '--', '""', '[]', '${', '\\"']
const starts = ['', 'x', '"', '1', '{', '[', '$']
const ends = ['\0', 'x', '"', ' ']

/** In milliseconds of the processor. */
function cpuOf({pattern, flags}: Found, text: string): number {
  const expression = new RegExp(pattern, flags)
  const before = process.cpuUsage()
  if (expression.global) text.replace(expression, '')
  else expression.exec(text)
  const {user, system} = process.cpuUsage(before)
  return (user + system) / 1e3
}

/** The text for which twice the length takes far more than twice the time, each time that it is doubled. */
function findSlowText(regex: Found): string | undefined {
  const own = [...regex.pattern].filter((letter) => !/[a-z0-9]/i.test(letter))
  const words = regex.pattern.match(/[A-Za-z]{2,}/g) ?? []
  for (const unit of new Set([...units, ...own, ...words])) {
    for (const start of starts) {
      for (const end of ends) {
        const cpu = (count: number) => cpuOf(regex, `${start}${unit.repeat(count)}${end}`)
        if (cpu(3_000) < 3) continue
        const [one, two, four] = [3_000, 6_000, 12_000].map(cpu) as [number, number, number]
        if (two > one * 2.6 && four > two * 2.6 && four > 40) return JSON.stringify([start, unit, end])
      }
    }
  }
  return undefined
}

test('no regular expression takes four times as long for twice the text', () => {
  const literals = findLiterals().filter(({pattern}) => /[*+]|\{\d*,/.test(pattern))

  const slow = literals.flatMap((regex) => {
    const text = findSlowText(regex)
    return text === undefined ? [] : [`${regex.path}: /${regex.pattern}/${regex.flags} at ${text}`]
  })

  expect(literals.length).toBeGreaterThan(150)
  expect(slow).toEqual([])
})
