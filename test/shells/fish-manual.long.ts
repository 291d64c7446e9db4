import {spawnSync} from 'node:child_process'
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {describe, expect} from 'vitest'
import {quoted} from '../../src/cli/completion/shells/shell.js'
import {type Home, test} from '../support/binary.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const parser = '/usr/share/fish/tools/create_manpage_completions.py'

/** What fish offers after its rules were written, by itself from the manual page or by a person. */
function offered({path}: Home, file: string, rules: string) {
  const folder = join(path, '.local/share/fish', file)
  mkdirSync(folder, {recursive: true})
  const program = `${quoted(process.execPath)} ${quoted(join(root, 'bin/run.js'))}`
  const bin = join(path, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'vendorctl'), `#!/bin/sh\nexec ${program} "$@"\n`, {mode: 0o755})
  if (rules !== '') writeFileSync(join(folder, 'vendorctl.fish'), rules)
  else spawnSync('python3', [parser, '-d', folder, join(root, 'dist/vendorctl.1')])
  const code = `vendorctl autocomplete script fish | source; complete -C 'vendorctl explain --'`
  const env = {HOME: path, PATH: `${bin}:/usr/bin:/bin`, LANG: 'C.UTF-8'}
  const {stdout} = spawnSync('fish', ['-c', code], {env, encoding: 'utf8'})
  return stdout.split('\n').flatMap((line) => line.match(/^--[\w-]+/)?.[0] ?? [])
}

describe('fish offers the flags of a command and no other', () => {
  const {commands} = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'))
  const flags = [...Object.keys(commands.explain.flags), 'help'].map((name) => `--${name}`).sort()

  test.for([
    ['after it has read the manual page', ''],
    ['when other rules lie in its files', 'complete -c vendorctl -l account'],
  ] as const)('%s', ([, rules], {home}) => {
    expect(offered(home, 'generated_completions', rules).sort()).toEqual(flags)
  })
})
