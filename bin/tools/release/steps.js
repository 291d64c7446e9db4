import {spawnSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

export const folder = '.release'

/** Runs a program of this project with npm; ends this process when it fails. */
export function run(words, environment = {}) {
  const npm = process.env.npm_execpath
  const [file, before] = npm ? [process.execPath, [npm]] : ['npm', []]
  const {status} = spawnSync(file, [...before, ...words], {stdio: 'inherit', env: {...process.env, ...environment}})
  if (status !== 0) process.exit(status ?? 1)
}

/** Builds and packs, with more facts in package.json for that time; returns the path of the tarball, alone in its folder. */
export function pack(version, facts = {}) {
  rmSync(folder, {recursive: true, force: true})
  mkdirSync(folder)
  const before = readFileSync('package.json', 'utf8')
  const restore = () => writeFileSync('package.json', before)
  process.once('exit', restore) // a step that fails ends the process
  writeFileSync('package.json', `${JSON.stringify({...JSON.parse(before), ...facts}, undefined, 2)}\n`)
  run(['pack', '--silent', '--pack-destination', folder])
  restore()
  return join(folder, `vendorctl-${version}.tgz`)
}

export function readVersion() {
  return JSON.parse(readFileSync('package.json', 'utf8')).version
}

export function digest(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}
