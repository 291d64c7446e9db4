import * as fs from 'node:fs'
import {dirname, join} from 'node:path'
import type {Random} from '../../src/sandbox/seed/random.js'

/** The folder that holds everything of a machine, as its programs see it. */
export const visibleRoot = '/sim'

/** The disk of one machine, and what would be left after a power cut: contents and names at their last sync. */
export class Disk {
  readonly root: string
  readonly #trash: string
  /** By file: what is durable of one that was changed since its last sync. */
  readonly #contents = new Map<number, {path: string; durable: Buffer}>()
  /** Changes of names that their folders have not been synced since. */
  #names: {folder: string; undo: () => void}[] = []
  /** Databases that do not sync every commit: their bytes when they were opened. */
  readonly #lazy = new Map<string, Map<string, Buffer | undefined>>()
  #kept = 0

  constructor(root: string) {
    this.root = join(root, 'disk')
    this.#trash = join(root, 'trash')
    for (const folder of [this.root, this.#trash]) fs.mkdirSync(folder, {recursive: true, mode: 0o700})
  }

  /** The real path of a visible one; the working folder of programs is the root. */
  real = (path: string): string => {
    if (path === visibleRoot || path.startsWith(`${visibleRoot}/`)) return this.root + path.slice(visibleRoot.length)
    if (path.startsWith('/proc/') && !path.endsWith('boot_id')) return join(this.root, 'none') // of real processes
    return path.startsWith('/') ? path : join(this.root, path)
  }

  visible = (text: string): string => text.replaceAll(this.root, visibleRoot)

  /** To be called before the bytes of a file change. */
  willWrite(path: string, descriptor?: number): void {
    const found = descriptor === undefined ? fs.statSync(path, {throwIfNoEntry: false}) : fs.fstatSync(descriptor)
    if (!found?.isFile() || this.#contents.has(found.ino)) return
    this.#contents.set(found.ino, {path, durable: found.size === 0 ? Buffer.alloc(0) : fs.readFileSync(path)})
  }

  synced(descriptor: number): void {
    const found = fs.fstatSync(descriptor)
    if (found.isDirectory()) this.#syncFolder(String(found.ino))
    else this.#contents.delete(found.ino)
  }

  /** SQLite writes and syncs its files itself: each commit, and the folder when it has made a log. */
  openedDatabase = (path: string) => this.#contents.delete(fs.statSync(path, {throwIfNoEntry: false})?.ino ?? 0)

  syncedFolderOf = (path: string) => this.#syncFolder(this.#folderOf(path))

  /** Notes the state of a database whose commits a power cut may take back. */
  openedLazily(path: string): void {
    if (this.#lazy.has(path)) return
    const read = (end: string) => (fs.existsSync(path + end) ? fs.readFileSync(path + end) : undefined)
    this.#lazy.set(path, new Map(['', '-wal'].map((end) => [end, read(end)])))
  }

  #folderOf = (path: string) => String(fs.statSync(dirname(path)).ino)

  #syncFolder(folder: string): void {
    this.#names = this.#names.filter((change) => change.folder !== folder)
  }

  created(path: string): void {
    const {ino} = fs.lstatSync(path)
    if (!this.#contents.has(ino)) this.#contents.set(ino, {path, durable: Buffer.alloc(0)})
    this.linked(path)
  }

  linked(path: string): void {
    this.#note(path, () => {
      for (const end of ['', '-wal', '-shm']) fs.rmSync(path + end, {recursive: true, force: true})
    })
  }

  /** Removes a name, and keeps its file, so that a power cut can give it back. */
  removing(path: string, remove: () => void): void {
    const restore = this.#keep(path)
    remove()
    if (restore) this.#note(path, restore)
  }

  /** Gives a file another name; a power cut gives it the old one, and the other file that had the new one. */
  rename(from: string, to: string): void {
    const restore = this.#keep(to)
    fs.renameSync(from, to)
    const ino = fs.lstatSync(to).ino
    const content = this.#contents.get(ino)
    if (content) content.path = to
    this.#note(to, () => {
      if (fs.lstatSync(to, {throwIfNoEntry: false})?.ino === ino) fs.renameSync(to, from)
      restore?.()
    })
  }

  /** Keeps the file of a name. Returns how to give it back. */
  #keep(path: string): (() => void) | undefined {
    if (!fs.lstatSync(path, {throwIfNoEntry: false})?.isFile()) return undefined
    const kept = join(this.#trash, String(this.#kept++))
    fs.linkSync(path, kept)
    return () => {
      fs.rmSync(path, {force: true})
      fs.linkSync(kept, path)
    }
  }

  #note = (path: string, undo: () => void) => void this.#names.push({folder: this.#folderOf(path), undo})

  /** Loses the last changes of names, and all or some of what was not synced, torn at a sector. Returns how many things. */
  cutPower(random: Random): number {
    let lost = 0
    const cuts = new Map<string, boolean>()
    for (const {folder, undo} of this.#names.reverse()) {
      if (cuts.get(folder)) continue
      if (random() < 0.5) {
        undo()
        lost++
      } else cuts.set(folder, true)
    }
    for (const [ino, {path, durable}] of this.#contents) {
      if (fs.statSync(path, {throwIfNoEntry: false})?.ino !== ino) continue // another file has its name
      const choice = random()
      if (choice < 0.3) continue
      const written = fs.readFileSync(path)
      const sectors = 512 * Math.floor((random() * written.length) / 512)
      fs.writeFileSync(path, choice < 0.65 ? durable : written.subarray(0, Math.max(durable.length, sectors)))
      lost++
    }
    for (const [path, parts] of this.#lazy) {
      if (!fs.existsSync(path) || random() < 0.5) continue
      fs.rmSync(`${path}-shm`, {force: true})
      for (const [end, bytes] of parts) {
        if (bytes) fs.writeFileSync(path + end, bytes)
        else if (end !== '') fs.rmSync(path + end, {force: true})
      }
      lost++
    }
    for (const settled of [this.#contents, this.#lazy]) settled.clear() // what is left is durable now
    this.#names = []
    return lost
  }
}
