/**
 * npm run check:reproducible: builds and packs these sources twice, in two folders, with other clocks, time zones
 * and languages. The package, the executable for this system and every built file, such as the bill of materials, must
 * be the same, byte for byte.
 */
import {execFileSync, spawnSync} from 'node:child_process'
import {cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {here, installNodeOf} from '../standalone/node-of.js'
import {digest} from './steps.js'

const clock = (days) =>
  `data:text/javascript,const now=Date.now;Date.now=()=>now()+${days * 864e5};
  globalThis.Date=new Proxy(Date,{construct:(T,given)=>given.length?new T(...given):new T(T.now())})`.replace(
    /\n\s*/,
    '',
  )
const builders = [
  {name: 'one', days: 0, zone: 'Pacific/Kiritimati', language: 'C.UTF-8'},
  {name: 'the other one', days: 400, zone: 'America/Anchorage', language: 'tr_TR.UTF-8'},
]
const work = mkdtempSync(join(tmpdir(), 'vendorctl-reproducible-'))

try {
  installNodeOf(here) // once, for both
  const [one, other] = builders.map(build)
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort()
  const different = names.filter((name) => one[name] !== other[name])
  for (const name of different) process.stdout.write(`differs: ${name}\n`)
  process.stdout.write(`${names.length} files of two builds, ${different.length} different\n`)
  process.exitCode = different.length === 0 ? 0 : 1
} finally {
  rmSync(work, {recursive: true, force: true})
}

/** The digest of each file that one of them built, by its path. */
function build({name, days, zone, language}) {
  const folder = join(work, name)
  copySources(folder, days)
  const env = {...process.env, TZ: zone, LANG: language, LC_ALL: language, NODE_OPTIONS: `--import "${clock(days)}"`}
  delete env.SOURCE_DATE_EPOCH
  const run = (program, ...words) => {
    const {status} = spawnSync(program, words, {cwd: folder, env, stdio: ['ignore', 'inherit', 'inherit']})
    if (status !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${status} in ${folder}`)
  }
  run('npm', 'pack', '--silent')
  run(process.execPath, 'bin/tools/standalone/build.js')
  const built = ['dist', 'dist-standalone'].flatMap((name) =>
    readdirSync(join(folder, name), {recursive: true, withFileTypes: true})
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  )
  const tarball = readdirSync(folder).filter((file) => file.endsWith('.tgz'))
  const all = [...built, ...tarball.map((file) => join(folder, file)), join(folder, 'oclif.manifest.json')]
  return Object.fromEntries(all.map((file) => [file.slice(folder.length + 1), digest(file)]))
}

/** What git knows or would take, with other times; packages are linked where the disk can. */
function copySources(folder, days) {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const time = Date.now() / 1000 - days * 86_400
  for (const file of execFileSync('git', words, {encoding: 'utf8'}).split('\0').filter(Boolean)) {
    const copy = join(folder, file)
    mkdirSync(dirname(copy), {recursive: true})
    cpSync(file, copy)
    utimesSync(copy, time, time)
  }
  const linked = spawnSync('cp', ['-al', 'node_modules', folder], {stdio: 'ignore'})
  if (linked.status !== 0) execFileSync('cp', ['-a', 'node_modules', folder])
}
