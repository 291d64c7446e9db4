import type {Row} from '../../core/sqlite.js'

/** What the list of runs shows of an export, without secrets. */
export type ExportRunFacts = {
  command: string
  /** The output file as it was given, and from the root. */
  file: string
  path: string
  /** The arguments of `vendorctl` that resume it, and that start it over; not of exports of earlier versions. */
  resume?: string
  startOver?: string
  /** Of exports of earlier versions: the arguments that lead to the same file. */
  again?: string
  profile: string
  stage: string
}

/** The command that resumes an export. */
export function resumeCommand({command, resume, again}: ExportRunFacts): string {
  return `vendorctl ${resume ?? `${command} … ${again}`}`
}

/** Files of every version have `resume` under the name `goOn`. */
export function printFacts({resume, ...facts}: ExportRunFacts): string {
  return JSON.stringify({...facts, goOn: resume})
}

export function parseFacts(text: Row[string] | undefined): ExportRunFacts {
  const {goOn, ...facts} = JSON.parse(String(text)) as Omit<ExportRunFacts, 'resume'> & {goOn?: string}
  return {...facts, ...(goOn !== undefined && {resume: goOn})}
}
