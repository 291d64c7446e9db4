import {existsSync} from 'node:fs'
import {basename, dirname, isAbsolute, join, relative, resolve, sep} from 'node:path'
import {shellWord} from '../../../core/command-line.js'
import {usage} from '../../../core/errors.js'
import {toUtc} from '../../../jobs/setup/schedule.js'
import {renderWorkflow, sayUtc, secretNames} from '../../../jobs/setup/workflow.js'
import {findMade, removeFiles, writeMade} from './made-file.js'
import type {Outcome, Scheduler, Subject} from './scheduler.js'

const folder = join('.github', 'workflows')

/** GitHub Actions: a workflow in the repository around the current folder. */
export const github: Scheduler = {
  show(subject) {
    const root = findRepository()
    const {name, text} = toWorkflow(subject, root)
    const save = `Save it as ${join(folder, name)}, or have it written: ${subject.schedule.madeBy} --install`
    return {text, advice: [save, ...steps(subject, root)]}
  },

  install(subject): Outcome {
    const root = repository()
    const workflow = toWorkflow(subject, root)
    const written = writeMade(join(root, folder), subject.schedule.name, [workflow])
    const where = join(root, folder, workflow.name)
    return {...written, where, advice: ['Commit and push it.', ...steps(subject, root)]}
  },

  remove(name): Outcome {
    const [file, root] = [`vendorctl-${name}.yml`, repository()]
    const found = findMade(join(root, folder), name, [file])
    removeFiles(found)
    const where = join(root, folder, file)
    return {
      did: found.length > 0 ? 'removed' : 'absent',
      where,
      advice: found.length > 0 ? ['Commit and push the removal.'] : [],
    }
  },
}

function toWorkflow(subject: Subject, root: string | undefined) {
  const {schedule, zone, now, version, profile, variables, output} = subject
  const {name, at, madeBy} = schedule
  const jobsFile = pathInRepository(subject.jobsFile, root) ?? 'jobs.yaml'
  return renderWorkflow({name, madeBy, version, profile, variables, output, zone, jobsFile, time: toUtc(at, zone, now)})
}

function steps({schedule, zone, now, jobsFile, variables, output}: Subject, root: string | undefined): string[] {
  const [secrets, others] = [
    secretNames(variables).join(', '),
    'VENDORCTL_BASE_URL, VENDORCTL_STAGE, VENDORCTL_USERNAME',
  ]
  const target = join(root ?? '.', 'jobs.yaml')
  const isInside = pathInRepository(jobsFile, root) !== undefined
  const outside = output !== undefined && isAbsolute(output)
  return [
    ...(outside
      ? [
          `notice: output-file is ${output}; on the machine of a workflow, write into the repository: out/${basename(output)}`,
        ]
      : []),
    sayUtc({zone, time: toUtc(schedule.at, zone, now)}),
    ...(isInside
      ? []
      : [`The workflow reads jobs.yaml of the repository: cp ${shellWord(jobsFile)} ${shellWord(target)}`]),
    `Set in the repository: secrets ${secrets} (gh secret set NAME), variables ${others} (gh variable set NAME).`,
    'The marks of --since-last are kept in the cache of the repository. A cache unused for 7 days is deleted; the next run then starts at the start of the job again.',
    ...(output === undefined
      ? []
      : ['Files are artifacts of the run, which GitHub deletes after 90 days; deliver keeps them elsewhere.']),
  ]
}

function pathInRepository(file: string, root: string | undefined): string | undefined {
  if (root === undefined) return undefined
  const path = relative(root, file)
  return path.startsWith('..') || resolve(path) === path ? undefined : path.replaceAll(sep, '/')
}

function repository(): string {
  const root = findRepository()
  if (root !== undefined) return root
  throw usage(
    'This folder is in no Git repository.',
    'Change to the repository that is to run the job, then run this again.',
  )
}

function findRepository(): string | undefined {
  let at = process.cwd()
  while (!existsSync(join(at, '.git'))) {
    if (dirname(at) === at) return undefined
    at = dirname(at)
  }
  return at
}
