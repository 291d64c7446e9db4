import {Flags} from '@oclif/core'
import {environmentName} from '../app/flags.js'

export const schedulerNames = ['cron', 'systemd', 'github', 'kubernetes', 'windows'] as const

export type SchedulerName = (typeof schedulerNames)[number]

/** Flags of `jobs setup`. */
export const setupFlags = {
  at: Flags.string({
    env: environmentName('at'),
    helpValue: 'HH:MM',
    description: 'Local time at which the job starts, such as 02:10.',
  }),
  image: Flags.string({
    env: environmentName('image'),
    helpValue: 'IMAGE',
    description: 'Image of the program, for kubernetes.',
  }),
  install: Flags.boolean({
    env: environmentName('install'),
    exclusive: ['remove'],
    description: 'Install it for this user.',
  }),
  remove: Flags.boolean({
    env: environmentName('remove'),
    description: 'Remove what --install wrote, and nothing else.',
  }),
}
