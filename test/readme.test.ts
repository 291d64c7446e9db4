import {spawnSync} from 'node:child_process'
import {chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {parseDocument} from 'yaml'
import {settingKeys, settingNames} from '../src/cli/settings/setting-keys.js'
import {exitCodeOf, exitNames} from '../src/contract/index.js'
import {findBlocks, findCommands, findFiles, findSteps, isShown} from './support/readme.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const manifest = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8')) as {
  version: string
  commands: Record<
    string,
    {id: string; summary: string; pluginName: string; flags: Record<string, {aliases?: string[]; char?: string}>}
  >
}
const own = Object.values(manifest.commands).filter(({pluginName}) => pluginName === 'vendorctl')

describe('the transcript', () => {
  let folder: string
  let environment: Record<string, string | undefined>

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'vendorctl-readme-'))
    mkdirSync(join(folder, 'bin'))
    const shim = `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'bin', 'run.js')}" "$@"\n`
    writeFileSync(join(folder, 'bin', 'vendorctl'), shim)
    chmodSync(join(folder, 'bin', 'vendorctl'), 0o755)
    for (const {name, text} of findFiles(readme)) writeFileSync(join(folder, name), text)
    environment = {
      PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
      HOME: folder,
      XDG_CONFIG_HOME: join(folder, 'config'),
      XDG_STATE_HOME: join(folder, 'state'),
      VENDORCTL_NO_INPUT: 'true',
    }
  })

  afterAll(() => {
    spawnSync('vendorctl', ['sandbox', 'stop'], {env: environment})
    rmSync(folder, {recursive: true, force: true})
  })

  test.each(findSteps(readme))('$command', ({command, expected}) => {
    const {stdout} = spawnSync('sh', ['-c', `${command} 2>&1`], {cwd: folder, env: environment, encoding: 'utf8'})

    expect(isShown(stdout, expected) ? expected : stdout.trimEnd()).toBe(expected)
  })

  test('is followed by recipes that work one after the other', () => {
    const [, section = ''] = readme.split('\n### In a shell\n')
    const text = (findBlocks(section, 'sh')[0] ?? '')
      .replaceAll('12,13', '1001,1002')
      .replace('account 7', 'account 201')
    writeFileSync(join(folder, 'machines.txt'), '5001\n')
    for (const name of ['sites.csv', 'sites.rejects.csv']) rmSync(join(folder, name), {force: true})
    const env = {...environment, VENDORCTL_PROFILE: 'sandbox'}
    spawnSync('vendorctl', ['sandbox', 'start', '--detach'], {env})

    const lines = text.split('\n').filter((line) => line.startsWith('vendorctl'))
    const ended = lines.map((line) => [line, spawnSync('sh', ['-c', line], {cwd: folder, env}).status] as const)

    expect(ended).toHaveLength(11)
    const asItIs = 'vendorctl sites create -f sites.csv' // the example of the template names no account that is there
    expect(ended.filter(([, status]) => status !== 0)).toEqual([[asItIs, 5]])
  })
})

describe('the recipes', () => {
  test.each(findCommands(readme))('%s', (line) => {
    const words = line.split(/\s+/).slice(1)
    const flags = words.filter((word) => /^-/.test(word)).map((word) => word.replace(/=.*$/, ''))
    const command = own
      .filter(({id}) => `${words.join(' ')} `.startsWith(`${id.replaceAll(':', ' ')} `))
      .sort((one, other) => other.id.length - one.id.length)[0]

    expect(command?.id).toBeDefined()
    const known = Object.entries(command?.flags ?? {}).flatMap(([name, {aliases = [], char}]) => [
      ...[name, ...aliases].map((each) => `--${each}`),
      ...(char ? [`-${char}`] : []),
    ])
    expect(flags.filter((flag) => !known.includes(flag) && !/^-\d/.test(flag))).toEqual([])
  })
})

test('every recipe that installs the program names the version that it was written for', () => {
  const installs = ['yaml', 'dockerfile'].flatMap((kind) =>
    findBlocks(readme, kind)
      .join('')
      .match(/npm install.*/g),
  )

  expect(installs).toHaveLength(3)
  for (const line of installs) expect(`${manifest.version}.`).toContain(/vendorctl@([\d.]+)/.exec(line ?? '')?.[1])
})

test('no two runs on one day of a recipe want the same file', () => {
  const recipes = findCommands(readme).filter((line) => line.includes('{date}'))

  expect(recipes).toHaveLength(3)
  for (const line of recipes) expect(line).toContain('{date}-{time}')
})

test.each(findBlocks(readme, 'yaml'))('file %# for continuous integration is well-formed', (text) => {
  const {errors, warnings} = parseDocument(text)

  expect([...errors, ...warnings]).toEqual([])
})

describe('the tables', () => {
  test('name every exit code and no other', () => {
    const rows = exitNames.map((name) => `| ${exitCodeOf(name).code} | ${name} | ${exitCodeOf(name).about} |`)

    expect(rowsUnder('Exit codes')).toEqual(rows)
  })

  test('name every setting and no other', () => {
    const rows = settingNames.map(
      (key) => `| \`${key}\` | \`${settingKeys[key].environment}\` | ${settingKeys[key].about} |`,
    )

    expect(rowsUnder('Settings')).toEqual(rows)
  })

  test('name every command and no other', () => {
    const rows = own.map(({id, summary}) => `| \`${id.replaceAll(':', ' ')}\` | ${summary} |`).sort()

    expect(rowsUnder('Commands')).toEqual(rows)
  })
})

function rowsUnder(title: string): string[] {
  const [, section = ''] = readme.split(`\n## ${title}\n`)
  const [body = ''] = section.split('\n## ')
  return body
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
}
