import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {parseDocument} from 'yaml'
import {guideNames} from '../../src/cli/help/facts.js'
import {commandIds, facts} from '../cli/help/facts.js'
import {createDocumentFolder, type DocumentFolder} from '../support/document-folder.js'
import {findBlocks, findCommands, findShellLines, findUnknownFlags} from '../support/readme.js'

const guides = guideNames.map((name) => [name, facts.guides[name] ?? ''] as const)
const environment = {VENDORCTL_PROFILE: 'sandbox', VENDORCTL_RATE: '1000', VENDORCTL_BURST: '1000'}

describe.each(guides)('the examples of %s', (_name, text) => {
  let folder: DocumentFolder

  beforeAll(() => {
    folder = createDocumentFolder(text)
    folder.run('vendorctl sandbox start --port 0 --detach --no-limits --batches 400')
  })

  afterAll(() => folder.close())

  test.each(findShellLines(text))('%s', async (line) => {
    const {status, stderr} = await folder.runLine(line.replaceAll('/srv/reports', folder.path), environment)

    expect(status, stderr).toBe(0)
  })
})

test.each(guides.flatMap(([, text]) => findCommands(text)))('its flags are there: %s', (line) => {
  expect(findUnknownFlags(line, commandIds, facts.commands)).toEqual([])
})

test('no two runs of a day want the same file', () => {
  const dated = guides.flatMap(([, text]) => [...text.matchAll(/\S*\{date\}\S*/g)]).map(([name]) => name)

  expect(dated.length).toBeGreaterThan(2)
  for (const name of dated.filter((each) => each.includes('.csv'))) expect(name).toContain('{date}-{time}')
})

test.each(guides.flatMap(([, text]) => findBlocks(text, 'yaml')))('file %# for a CI system is well-formed', (text) => {
  const {errors, warnings} = parseDocument(text)

  expect([...errors, ...warnings]).toEqual([])
})

test('what installs the program names the version that it was written for', () => {
  const installs = guides.flatMap(([, text]) => text.match(/npm install.*vendorctl@.*/g) ?? [])

  expect(installs).toHaveLength(6)
  for (const line of installs) expect(`${facts.version}.`).toContain(/vendorctl@([\d.]+)/.exec(line)?.[1])
})
