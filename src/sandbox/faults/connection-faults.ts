import {toCount} from './arguments.js'
import type {FaultKind} from './effect.js'
import * as wire from './wire.js'

/** Faults of the connection: the answer does not arrive as it should. */
export const connectionFaults = {
  'reset-before': {
    form: '',
    takes: 0,
    about: 'Cuts the connection before anything is done. Also called reset.',
    create: () => ({deliver: wire.reset}),
  },
  'reset-after-commit': {
    form: '',
    takes: 0,
    about: 'Does the work, and cuts the connection instead of answering.',
    create: () => ({
      deliver: async (given) => {
        given.answer()
        await wire.reset(given)
      },
    }),
  },
  'late-commit': {
    form: '(milliseconds)',
    takes: 1,
    about: 'Cuts the connection at once, and does the work later.',
    create: ([given]) => {
      const milliseconds = toCount(given, 1_000)
      return {deliver: (connection) => wire.commitLate(connection, milliseconds)}
    },
  },
  'trunc-cl': {
    form: '',
    takes: 0,
    about: 'Cuts an answer that said its length.',
    create: () => ({deliver: wire.truncate}),
  },
  'trunc-chunked': {
    form: '',
    takes: 0,
    about: 'Cuts an answer that is sent in chunks.',
    create: () => ({deliver: wire.truncateChunked}),
  },
  'close-delim': {
    form: '',
    takes: 0,
    about: 'Cuts an answer that ends where the connection ends.',
    create: () => ({deliver: wire.closeDelimited}),
  },
  'stall-headers': {
    form: '',
    takes: 0,
    about: 'Does the work, and never ends the headers of its answer.',
    create: () => ({deliver: wire.stallHeaders}),
  },
  drip: {
    form: '(milliseconds)',
    takes: 1,
    about: 'Answers one byte at a time, 50 milliseconds apart unless said otherwise.',
    create: ([given]) => {
      const milliseconds = toCount(given, 50)
      return {deliver: (connection) => wire.drip(connection, milliseconds)}
    },
  },
  big: {
    form: '(megabytes)',
    takes: 1,
    about: 'Answers a list of white space, 100 megabytes unless said otherwise.',
    create: ([given]) => {
      const megabytes = toCount(given, 100)
      return {deliver: (connection) => wire.sendBig(connection, megabytes)}
    },
  },
  bomb: {
    form: '(megabytes)',
    takes: 1,
    about: 'Answers with gzip that unpacks to 1024 megabytes unless said otherwise.',
    create: ([given]) => {
      const megabytes = toCount(given, 1_024)
      return {deliver: (connection) => wire.sendBomb(connection, megabytes)}
    },
  },
} as const satisfies Record<string, FaultKind>
