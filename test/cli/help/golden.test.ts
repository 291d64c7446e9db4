import {readdirSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {expect, test} from 'vitest'
import {guideNames} from '../../../src/cli/help/facts.js'
import {renderHelp} from '../../../src/cli/help/render-help.js'
import {toCommandName} from '../../../src/values/command-facts.js'
import {expectGolden} from '../../support/golden.js'
import {commandIds, facts, topics} from './facts.js'

const all = ['sites create --verbose', 'reports transactions --verbose']
const subjects = ['', ...topics, ...commandIds.map(toCommandName), ...all, ...guideNames]
/** A crontab has no way to continue a line. */
const crontab = / \d+ \d+ \* \* \* /
const wide = ['', 'sites', 'sites create --verbose', 'machines list']
const fileOf = (subject: string, width: number) =>
  `help/${subject.replace('--', '').replaceAll(' ', '-') || 'vendorctl'}${width === 80 ? '' : `-${width}`}.txt`

test.each([...subjects.map((subject) => [subject, 80] as const), ...wide.map((subject) => [subject, 200] as const)])(
  'the help of "%s" at %i columns',
  (subject, width) => {
    const text = renderHelp(['help', ...subject.split(' ').filter(Boolean)], facts, {width, color: false}) ?? ''

    expectGolden(fileOf(subject, width), text)
    const wrong = text.split('\n').filter((line) => line.length > width || line !== line.trimEnd())
    expect(wrong.filter((line) => !crontab.test(line))).toEqual([])
  },
)

test('there is no golden text of what is no more', () => {
  const kept = readdirSync(fileURLToPath(new URL('../../golden/help', import.meta.url)))

  const known = [...subjects.map((subject) => fileOf(subject, 80)), ...wide.map((subject) => fileOf(subject, 200))]
  expect(kept.map((name) => `help/${name}`).sort()).toEqual(known.sort())
})
