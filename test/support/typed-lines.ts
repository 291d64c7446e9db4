import {spawn} from 'node:child_process'
import {chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {quoted} from '../../src/cli/completion/shells/shell.js'
import type {Home} from './binary.js'

const program = fileURLToPath(new URL('../../bin/run.js', import.meta.url))
const longestMilliseconds = 120_000
/** Keys of every line editor: takes the line away; goes a letter to the left. */
const controlU = '\u0015'
const controlB = '\u0002'

/** Shells as a person starts them without files of settings, and what the README says to write into those. */
const starts = {
  bash: [
    'bash --norc --noprofile -i',
    'eval "$(vendorctl autocomplete script bash)"; alias v=vendorctl; complete -F _vendorctl v',
  ],
  zsh: ['zsh -f -i', 'eval "$(vendorctl autocomplete script zsh)"; alias v=vendorctl'],
  fish: ['fish --no-config -i', 'vendorctl autocomplete script fish | source; alias v vendorctl'],
} as const

export type TypedShell = keyof typeof starts

export type Typed = {
  /** The words that `vendorctl` was started with, by line. */
  taken: string[]
  /** All that stood on the terminal. */
  screen: string
}

/**
 * Types lines into a real shell on a terminal of its own, where `vendorctl` is the built program for completion and
 * otherwise notes its words. `\t` is the Tab key. `settings` are a line that comes before completion is set up.
 */
export async function typeInShell(
  shell: TypedShell,
  home: Home,
  lines: readonly string[],
  settings = '',
): Promise<Typed> {
  const [command, setup] = starts[shell]
  const notes = join(home.path, 'notes')
  prepare(home, notes)
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd: join(home.path, 'work'),
    env: {...home.environment, PATH: `${join(home.path, 'bin')}:/usr/bin:/bin`, TERM: 'dumb', LANG: 'C.UTF-8'},
    timeout: longestMilliseconds,
  })
  let screen = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text
  })
  child.stdin.end(`${[settings, setup, ...lines, 'exit'].join('\n')}\n`)
  await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  return {taken: existsSync(notes) ? readFileSync(notes, 'utf8').trimEnd().split('\n') : [], screen}
}

function prepare(home: Home, notes: string): void {
  const shim = `#!/bin/sh
case $1 in
  __complete | autocomplete) exec ${quoted(process.execPath)} ${quoted(program)} "$@" ;;
esac
{
  for word do printf '<%s>' "$word"; done
  echo
} >> ${quoted(notes)}
`
  mkdirSync(join(home.path, 'bin'))
  writeFileSync(join(home.path, 'bin', 'vendorctl'), shim)
  chmodSync(join(home.path, 'bin', 'vendorctl'), 0o755)
}

/** What is typed, and the words that the program gets; every shell understands it alike. */
export const typedLines: readonly (readonly [typed: string, taken: string])[] = [
  ['vendorctl mach\tli\t--stag\trc', '<machines><list><--stage><rc>'],
  ['vendorctl machines list --output=cs\t', '<machines><list><--output=csv>'],
  ['vendorctl machines list --columns id,prose,nam\t', '<machines><list><--columns><id,prose,name>'],
  ['vendorctl machines list --sort -nam\t', '<machines><list><--sort><-name>'],
  ['vendorctl machines list -p prod\t', '<machines><list><-p><production>'],
  ['vendorctl machines list -p two\t', '<machines><list><-p><two words>'],
  ["vendorctl machines list -p 'two\t", '<machines><list><-p><two words>'],
  ['vendorctl machines list -p "two\t', '<machines><list><-p><two words>'],
  ['vendorctl machines list -p \\$\t', '<machines><list><-p><$(touch run-by-tab)>'],
  ['vendorctl machines list -p \\`\t', '<machines><list><-p><`touch run-by-tab`>'],
  ["vendorctl machines list -p it\\'\t", "<machines><list><-p><it's>"],
  ['vendorctl machines list -p co\t', '<machines><list><-p><co:lon>'],
  ['vendorctl sites list --where isAct\ttr\t', '<sites><list><--where><isActive=true>'],
  ['vendorctl sites create -f my\t', '<sites><create><-f><my sites.csv>'],
  ['vendorctl sites create --file=my\t', '<sites><create><--file=my sites.csv>'],
  ['vendorctl machines list --machine @ids\t', '<machines><list><--machine><@ids.txt>'],
  ['vendorctl runs show 2026\t', '<runs><show><20260131-174502-1c84f>'],
  ['vendorctl sandbox faults set reset@machines.l\t', '<sandbox><faults><set><reset@machines.list>'],
  ['vendorctl quota < my\t', '<quota>'],
  ['vendorctl machines list --stage rc < my\t--js\t', '<machines><list><--stage><rc><--json>'],
  ['vendorctl machines list 2> my\t--stag\trc', '<machines><list><--stage><rc>'],
  ['../bin/vendorctl explain NAME_U\t', '<explain><NAME_UNIQUENESS>'],
  ['v mach\tli\t', '<machines><list>'],
  [`vendorctl machines list --stag --json${controlB.repeat(' --json'.length)}\t`, '<machines><list><--stage><--json>'],
  [`vendorctl machines list -p $(touch run-by-tab) --stag\t${controlU}vendorctl quota`, '<quota>'],
  [`vendorctl machines list -p "a 'b --stag\t${controlU}vendorctl quota`, '<quota>'],
]

/** Files and profiles that the lines speak of, some of them with names that no person would choose. */
export function prepareNames({path, config, state}: Home): void {
  const names = ['production', 'two words', '$(touch run-by-tab)', '`touch run-by-tab`', "it's", 'co:lon', 'new\nline']
  mkdirSync(config, {recursive: true, mode: 0o700})
  mkdirSync(join(state, 'runs'), {recursive: true, mode: 0o700})
  writeFileSync(
    join(config, 'profiles.json'),
    JSON.stringify({profiles: Object.fromEntries(names.map((name) => [name, {}]))}),
  )
  writeFileSync(join(state, 'runs', '20260131-174502-1c84f.run'), '')
  mkdirSync(join(path, 'work'))
  for (const name of ['my sites.csv', 'ids.txt']) writeFileSync(join(path, 'work', name), '')
}
