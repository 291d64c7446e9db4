import type {Environment} from '../../core/environment.js'
import type {CliFailure, ErrorEntry} from '../../core/errors.js'
import {type AtomicFile, openAtomicFile} from '../../formats/files/atomic-file.js'
import {toCodeQuality, toWorkflowCommands} from '../../runs/report/ci-annotations.js'
import {toFailure} from '../../runs/report/row-copies.js'

export type AnnotationFlags = {
  file?: string | undefined
  annotations?: string | undefined
  overwrite?: boolean | undefined
}

/** Annotations that show a CI system the problems of each line. */
export type Annotations = {
  /**
   * Reports the entries, printed in groups; only the first call counts. Returns the failure to write the report, if
   * any.
   */
  say(entries: readonly ErrorEntry[], groups?: readonly ErrorEntry[]): Promise<CliFailure[]>
  discard(): Promise<void>
}

/**
 * Opens the annotations: GitHub reads them from the output, GitLab from a file, which is opened here and written also
 * when there is no problem. Throws a `CliFailure` when it cannot be written.
 */
export async function openAnnotations(
  {file = '-', annotations: path, overwrite = false}: AnnotationFlags,
  environment: Environment,
  print: (text: string) => void,
): Promise<Annotations> {
  const report = path === undefined ? undefined : await openAtomicFile(path, {overwrite})
  let isReported = false
  return {
    async say(entries, groups = entries) {
      if (isReported) return []
      isReported = true
      const isWorkflow = environment['GITHUB_ACTIONS'] === 'true'
      for (const command of isWorkflow ? toWorkflowCommands(groups, environment) : []) print(command)
      if (!report) return []
      return writeAfterRun(report, async () => toCodeQuality(entries, environment, file === '-' ? 'stdin' : file))
    },
    discard: async () => report?.discard(),
  }
}

/** Writes a file about a run that has ended; a failure is returned, because it changes nothing of the rows. */
export async function writeAfterRun(file: AtomicFile, toText: () => Promise<string>): Promise<CliFailure[]> {
  try {
    await file.write(await toText())
    await file.commit()
    return []
  } catch (error) {
    return [toFailure(error)]
  }
}
