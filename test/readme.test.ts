import {spawn, spawnSync} from 'node:child_process'
import {readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {fileURLToPath} from 'node:url'
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest'
import {parseDocument} from 'yaml'
import {guideNames, guides} from '../src/cli/help/facts.js'
import {commandIds, facts} from './cli/help/facts.js'
import {createDocumentFolder, type DocumentFolder} from './support/document-folder.js'
import {createFakeCrontab, toShell} from './support/fake-crontab.js'
import {findBlocks, findCommands, findShellLines, findSteps, findUnknownFlags, isShown} from './support/readme.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const flags = commandIds.flatMap((id) => Object.keys(facts.commands[id]?.flags ?? {}).map((name) => `--${name}`))

test('the README is short', () => {
  expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(12_000)
})

test('quotes rows of the benchmark', () => {
  const [, section = ''] = readme.split('\n## How fast\n')
  const [table = ''] = section.split('\n## ')
  const rows = [...table.matchAll(/^\| (\S.*?) \| \d/gm)].map(([, name]) => name)

  expect(rows).toHaveLength(5)
  const bench = readFileSync(join(root, 'test', 'bench', 'paths', 'exports.js'), 'utf8')
  expect(rows.filter((name) => !bench.includes(`{name: '${name}', `))).toEqual([])
})

describe('the transcript', () => {
  let folder: DocumentFolder

  beforeAll(() => {
    folder = createDocumentFolder(readme)
  })

  afterAll(() => folder.close())

  test.each(findSteps(readme))('$command', ({command, expected}) => {
    const {stdout} = folder.run(`${command} 2>&1`)

    expect(isShown(stdout, expected) ? expected : stdout.trimEnd()).toBe(expected)
  })

  test.each([
    ['In a shell', 4],
    ['In a spreadsheet', 6],
    ['Prices, stock, planograms', 2],
    ['In a database', 2],
  ])('is followed by recipes that work one after the other: %s', (title, count) => {
    const [, section = ''] = readme.split(`\n### ${title}\n`)
    const text = (findBlocks(section, 'sh')[0] ?? '')
      .replaceAll('12,13', '1001,1002')
      .replace('account 7', 'account 201')
    writeFileSync(join(folder.path, 'machines.txt'), '5001\n')
    for (const name of ['sites.csv', 'sites.rejects.csv']) rmSync(join(folder.path, name), {force: true})
    folder.run('vendorctl sandbox start --detach')

    const lines = text.split('\n').filter((line) => line.startsWith('vendorctl'))
    const ended = lines.map((line) => [line, folder.run(line, {VENDORCTL_PROFILE: 'sandbox'}).status] as const)

    expect(ended).toHaveLength(count)
    expect(ended.filter(([, status]) => status !== 0)).toEqual([])
  })
})

test('a job of every night is installed as it stands, and runs with nothing but what cron gives it', async () => {
  const folder = createDocumentFolder(readme)
  const monitor = await startMonitor()
  writeProgram(folder, 'rclone', `[ "$1" = copyto ] && cp "$2" "${folder.path}/copy-$(basename "$3")"`)
  const crontab = createFakeCrontab(folder.path)
  const [, section = ''] = readme.split('\n### Every night\n')
  folder.run('vendorctl sandbox start --detach')

  const ended = findShellLines(section.split('\n### ')[0] ?? '').map((line) => folder.run(line, {TZ: 'UTC'}))
  const line = crontab.read().toString().trimEnd()
  const ran = spawnSync('sh', toShell(line), {
    env: {VENDORCTL_PROFILE: 'sandbox', PING_URL: `${monitor.url}/ping`},
    encoding: 'utf8',
  })
  const files = readdirSync(folder.path).filter((name) => /^(copy|tx)-/.test(name))
  folder.close()

  expect(ended.map(({status}) => status)).toEqual([0, 0])
  expect(line).toMatch(/^10 2 \* \* \* .* # vendorctl job nightly$/)
  expect(ran).toMatchObject({status: 0, stdout: '', stderr: ''})
  expect(await monitor.close()).toEqual(['POST /ping/start', 'POST /ping'])
  expect(files).toEqual([
    expect.stringMatching(/^copy-tx-.*\.csv$/),
    expect.stringMatching(/\.csv$/),
    expect.stringMatching(/\.csv\.manifest\.json$/),
  ])
})

test.each(findCommands(readme))('its flags are there: %s', (line) => {
  expect(findUnknownFlags(line, commandIds, facts.commands)).toEqual([])
})

describe('the tables', () => {
  test('name every guide and no other', () => {
    const rows = guideNames.map((name) => `| [\`${name}\`](src/cli/help/guides/${name}.md) | ${guides[name]} |`)

    expect(rowsUnder('Read more')).toEqual(rows)
  })

  test('of how it is built name folders and files that are there', () => {
    const section = readme.split('\n## How it is built\n')[1] ?? ''
    const named = [...section.matchAll(/`(src\/[\w/.-]+)`/g)].map(([, path = '']) => path)
    const rooms = rowsUnder('How it is built').flatMap((row) => row.split('|')[1]?.match(/(?<=`)[a-z]+(?=`)/g) ?? [])

    expect(rooms.length).toBeGreaterThan(10)
    for (const path of [...named, ...rooms.map((room) => `src/${room}`)]) statSync(join(root, path))
  })
})

describe('the documents for contributors', () => {
  const read = (name: string) => readFileSync(join(root, '.github', name), 'utf8')
  const documents = ['CONTRIBUTING.md', 'SECURITY.md']

  test.each(documents)('%s names files and scripts that are there', (name) => {
    const text = read(name)
    const {scripts} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {scripts: object}

    for (const [, path = ''] of text.matchAll(/`((?:src|test)\/[\w/.-]+)`/g)) statSync(join(root, path))
    for (const [, script = ''] of text.matchAll(/npm run ([\w:]+)/g)) expect(Object.keys(scripts)).toContain(script)
    for (const [flag] of text.matchAll(/(?<=`)--[a-z-]+/g)) expect(flags).toContain(flag)
  })

  test('CONTRIBUTING.md names every npm script', () => {
    const {scripts} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {scripts: object}
    const named = [...read('CONTRIBUTING.md').matchAll(/npm (?:run )?([\w:]+)/g)].map(([, script = '']) => script)

    expect(Object.keys(scripts).filter((script) => !named.includes(script))).toEqual([])
  })

  test.each(['bug.yml', 'idea.yml', 'config.yml'])('the issue form %s is well-formed', (name) => {
    const {errors, warnings} = parseDocument(read(join('ISSUE_TEMPLATE', name)))

    expect([...errors, ...warnings]).toEqual([])
  })
})

function writeProgram({path}: DocumentFolder, name: string, script: string): void {
  writeFileSync(join(path, 'bin', name), `#!/bin/sh\n${script}\n`, {mode: 0o755})
}

/** A monitor in a process of its own, because the tests wait for the programs that they start. */
async function startMonitor(): Promise<{url: string; close: () => Promise<string[]>}> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', monitorScript], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill()) // of a test that fails, the runner would wait for it forever
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const {value: url = ''} = await lines.next()
  return {
    url,
    async close() {
      child.kill()
      const asked: string[] = []
      for await (const line of {[Symbol.asyncIterator]: () => lines}) asked.push(line.replace(/\?.*/, ''))
      return asked
    },
  }
}

const monitorScript = `
import {createServer} from 'node:http'
const server = createServer(({method, url}, response) => {
  console.log(method + ' ' + url)
  response.end()
})
server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port))
`

function rowsUnder(title: string): string[] {
  const [, section = ''] = readme.split(`\n## ${title}\n`)
  const [body = ''] = section.split('\n## ')
  return body
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
}
