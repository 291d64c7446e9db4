import {execFileSync} from 'node:child_process'
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, relative, resolve} from 'node:path'
import {fileURLToPath} from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export type PackedFile = {name: string; bytes: number; text: string}

/** The package as its users get it, unpacked where a program in `folder` finds it. */
export type Packed = {tarball: string; folder: string; package: string; files: PackedFile[]; remove(): void}

/** Packs what was built, or takes the tarball that `VENDORCTL_TARBALL` names. */
export function packTarball(): Packed {
  const folder = mkdtempSync(join(tmpdir(), 'vendorctl-package-'))
  const tarball = process.env['VENDORCTL_TARBALL'] ? resolve(process.env['VENDORCTL_TARBALL']) : pack(folder)
  const home = join(folder, 'node_modules', 'vendorctl')
  mkdirSync(join(folder, 'node_modules'))
  execFileSync('tar', ['-xzf', tarball, '-C', folder])
  renameSync(join(folder, 'package'), home)
  return {tarball, folder, package: home, files: readFiles(home), remove: () => rmSync(folder, {recursive: true})}
}

function pack(folder: string): string {
  const words = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]
  return join(folder, execFileSync('npm', words, {cwd: root, encoding: 'utf8'}).trim())
}

function readFiles(home: string): PackedFile[] {
  return readdirSync(home, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({
      name: relative(home, path).replaceAll('\\', '/'),
      bytes: statSync(path).size,
      text: readFileSync(path, 'utf8'),
    }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}
