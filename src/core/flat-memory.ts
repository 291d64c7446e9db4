import {statSync} from 'node:fs'

/** Below this many bytes a file needs little memory however it is read. */
const fewBytes = 256 * 1024

/**
 * Keeps the heap small while many records pass; without it a million line items take half as much memory again. Too
 * expensive for little work: it costs a tenth of a start, and other runs cannot use what was compiled.
 */
export function keepMemoryFlat(): void {
  const {setFlagsFromString} = process.getBuiltinModule('node:v8')
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=50')
}

/** Keeps the heap small for a file that is not small, and for pipes, whose size is unknown. */
export function keepMemoryFlatFor(file: string | undefined): void {
  if (file === undefined || sizeOf(file) > fewBytes) keepMemoryFlat()
}

function sizeOf(file: string): number {
  try {
    const found = statSync(file)
    return found.isFile() ? found.size : Number.POSITIVE_INFINITY
  } catch {
    return 0 // reading it reports what is wrong
  }
}
