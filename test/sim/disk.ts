import * as fs from 'node:fs'
import {dirname, join} from 'node:path'
import type {Random} from '../../src/sandbox/seed/random.js'

/** The folder that holds everything of a machine, as its programs see it. */
export const visibleRoot = '/sim'

export type Disk = ReturnType<typeof createDisk>

/** The disk of one machine, and what would be left after a power cut: contents and names at their last sync. */
export function createDisk(folder: string) {
  const [root, trash] = [join(folder, 'disk'), join(folder, 'trash')]
  for (const each of [root, trash]) fs.mkdirSync(each, {recursive: true, mode: 0o700})
  /** By file: what is durable of one that was changed since its last sync. */
  const contents = new Map<number, {path: string; durable: Buffer}>()
  /** Changes of names that their folders have not been synced since. */
  let names: {folder: number; undo: () => void}[] = []
  /** Databases that do not sync every commit: their bytes when they were opened. */
  const lazy = new Map<string, Map<string, Buffer | undefined>>()
  let kept = 0
  const inodeOf = (path: string) => fs.statSync(path, {throwIfNoEntry: false})?.ino
  const folderOf = (path: string) => fs.statSync(dirname(path)).ino
  const syncFolder = (ino: number) => {
    names = names.filter(({folder}) => folder !== ino)
  }
  const note = (path: string, undo: () => void) => void names.push({folder: folderOf(path), undo})

  /** Keeps the file of a name. Returns how to give it back. */
  function keep(path: string): (() => void) | undefined {
    if (!fs.lstatSync(path, {throwIfNoEntry: false})?.isFile()) return undefined
    const spare = join(trash, String(kept++))
    fs.linkSync(path, spare)
    return () => {
      fs.rmSync(path, {force: true})
      fs.linkSync(spare, path)
    }
  }

  const disk = {
    root,
    /** The real path of a visible one; the working folder of programs is the root. */
    real(path: string): string {
      if (path === visibleRoot || path.startsWith(`${visibleRoot}/`)) return root + path.slice(visibleRoot.length)
      if (path.startsWith('/proc/') && !path.endsWith('boot_id')) return join(root, 'none') // of real processes
      return path.startsWith('/') ? path : join(root, path)
    },
    visible: (text: string) => text.replaceAll(root, visibleRoot),
    /** To be called before the bytes of a file change. */
    willWrite(path: string, descriptor?: number): void {
      const found = descriptor === undefined ? fs.statSync(path, {throwIfNoEntry: false}) : fs.fstatSync(descriptor)
      if (!found?.isFile() || contents.has(found.ino)) return
      contents.set(found.ino, {path, durable: found.size === 0 ? Buffer.alloc(0) : fs.readFileSync(path)})
    },
    synced(descriptor: number): void {
      const found = fs.fstatSync(descriptor)
      if (found.isDirectory()) syncFolder(found.ino)
      else contents.delete(found.ino)
    },
    /** SQLite writes and syncs its files itself: each commit, and the folder when it has made a log. */
    openedDatabase: (path: string) => contents.delete(inodeOf(path) ?? 0),
    syncedFolderOf: (path: string) => syncFolder(folderOf(path)),
    /** Notes the state of a database whose commits a power cut may take back. */
    openedLazily(path: string): void {
      if (lazy.has(path)) return
      const read = (end: string) => (fs.existsSync(path + end) ? fs.readFileSync(path + end) : undefined)
      lazy.set(path, new Map(['', '-wal'].map((end) => [end, read(end)])))
    },
    created(path: string): void {
      const {ino} = fs.lstatSync(path)
      if (!contents.has(ino)) contents.set(ino, {path, durable: Buffer.alloc(0)})
      disk.linked(path)
    },
    linked(path: string): void {
      note(path, () => {
        for (const end of ['', '-wal', '-shm']) fs.rmSync(path + end, {recursive: true, force: true})
      })
    },
    /** Removes a name, and keeps its file, so that a power cut can give it back. */
    removing(path: string, remove: () => void): void {
      const restore = keep(path)
      remove()
      if (restore) note(path, restore)
    },
    /** Gives a file another name; a power cut gives it the old one, and the other file that had the new one. */
    rename(from: string, to: string): void {
      const restore = keep(to)
      fs.renameSync(from, to)
      const {ino} = fs.lstatSync(to)
      const content = contents.get(ino)
      if (content) content.path = to
      note(to, () => {
        if (fs.lstatSync(to, {throwIfNoEntry: false})?.ino === ino) fs.renameSync(to, from)
        restore?.()
      })
    },
    /** Loses the last changes of names, and all or some of what was not synced, torn at a sector. Returns how many things. */
    cutPower(random: Random): number {
      let lost = 0
      const settled = new Set<number>()
      for (const {folder, undo} of names.reverse()) {
        if (settled.has(folder)) continue
        if (random() < 0.5) {
          undo()
          lost++
        } else settled.add(folder)
      }
      for (const [ino, {path, durable}] of contents) {
        if (inodeOf(path) !== ino) continue // another file has its name
        const choice = random()
        if (choice < 0.3) continue
        const written = fs.readFileSync(path)
        const sectors = 512 * Math.floor((random() * written.length) / 512)
        fs.writeFileSync(path, choice < 0.65 ? durable : written.subarray(0, Math.max(durable.length, sectors)))
        lost++
      }
      for (const [path, parts] of lazy) {
        if (!fs.existsSync(path) || random() < 0.5) continue
        fs.rmSync(`${path}-shm`, {force: true})
        for (const [end, bytes] of parts) {
          if (bytes) fs.writeFileSync(path + end, bytes)
          else if (end !== '') fs.rmSync(path + end, {force: true})
        }
        lost++
      }
      for (const durable of [contents, lazy]) durable.clear() // what is left
      names = []
      return lost
    },
  }
  return disk
}
