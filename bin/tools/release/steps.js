import {spawnSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {mkdirSync, readFileSync, rmSync} from 'node:fs'
import {join} from 'node:path'

export const folder = '.release'

/** Runs a program of this project with npm; ends this process when it fails. */
export function run(words, environment = {}) {
  const npm = process.env.npm_execpath
  const [file, before] = npm ? [process.execPath, [npm]] : ['npm', []]
  const {status} = spawnSync(file, [...before, ...words], {stdio: 'inherit', env: {...process.env, ...environment}})
  if (status !== 0) process.exit(status ?? 1)
}

/** Builds and packs; returns the path of the tarball, alone in its folder. */
export function pack(version) {
  rmSync(folder, {recursive: true, force: true})
  mkdirSync(folder)
  run(['pack', '--silent', '--pack-destination', folder])
  return join(folder, `vendorctl-${version}.tgz`)
}

export function readVersion() {
  return JSON.parse(readFileSync('package.json', 'utf8')).version
}

export function digest(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}
