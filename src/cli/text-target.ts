import {type Sink, standardOutput} from './output.js'

/** Where the rendered records go: standard output, or a file that appears only when it is whole. */
export type TextTarget = Sink & {
  /** Where it is, for people; undefined for standard output. */
  readonly path: string | undefined
  commit(): Promise<void>
  discard(): Promise<void>
}

export type TargetFlags = {'output-file'?: string | undefined; overwrite?: boolean | undefined}

/** Opens the target before anything is asked of the service, so that a bad path costs no request. */
export async function openTarget({'output-file': path, overwrite}: TargetFlags): Promise<TextTarget> {
  if (path === undefined || path === '-') return toStandardOutput()
  const {openWholeFile} = await import('../formats/whole-file.js')
  const file = await openWholeFile(path, {overwrite: overwrite ?? false})
  return {
    path,
    write: (text) => file.write(text),
    commit: () => file.commit(),
    discard: () => file.discard(),
  }
}

function toStandardOutput(): TextTarget {
  const done = async () => undefined
  return {path: undefined, write: (text) => standardOutput.write(text), commit: done, discard: done}
}
