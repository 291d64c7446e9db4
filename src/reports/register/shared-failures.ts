import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import type {Named} from './named-runs.js'
import {describeShared, longestGoneSeconds, type SharedHolder} from './shared-lock.js'

/** Another run, perhaps on another machine, has the right to write a name. */
export function heldElsewhere({name}: Named, holder = ''): CliFailure {
  return new CliFailure(`Another run is reading --since-last ${name}${holder}.`, {
    code: 'NAME_LOCKED',
    exit: 'locked',
    retry: 'safe',
    hints: [
      'Wait until it has ended, then run the same command again.',
      `If that machine is gone, its lock ends by itself within ${longestGoneSeconds} s.`,
    ],
  })
}

/** The session of a run ended in the middle, and another run has had the name since. */
export function lostTurn({name}: Named, holder: SharedHolder | undefined): CliFailure {
  const who = holder ? ` and another run is reading it${describeShared(holder)}` : ' and another run has read it since'
  return new CliFailure(
    `This run lost its lock of --since-last ${name},${who}; nothing of this run was recorded; the next run reads from where that one ends.`,
    {
      code: 'NAME_LOCKED',
      exit: 'locked',
      retry: 'safe',
      hints: [
        'Run the same command again when it has ended: what this run read is used only where no other run has read it.',
        `See who reads and up to where: ${commandLine('exports show', [name])}`,
      ],
    },
  )
}

/** The store could not be reached when all was read: nothing is lost, and nothing is read twice. */
export function notRecordedYet(name: string, file: string | undefined, cause: CliFailure): CliFailure {
  const kept = file === undefined ? 'what it read is to be read again' : `all of ${file} is read and kept`
  return new CliFailure(`The mark of --since-last ${name} is not moved yet; ${kept}. ${cause.message}`, {
    code: 'MARK_NOT_MOVED',
    exit: cause.exit,
    changed: cause.changed,
    retry: 'safe',
    cause,
    hints: [
      file === undefined
        ? 'Run the same command again: it lists this again.'
        : 'Run the same command again on this machine: it records the file and reads nothing of it twice.',
      ...cause.hints,
    ],
  })
}
