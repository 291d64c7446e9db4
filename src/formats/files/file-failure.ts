import {dirname} from 'node:path'
import type {FailureCode} from '../../contract/failure-codes.js'
import {shellQuote} from '../../core/command-line.js'
import {CliFailure, isFileLimit, tooManyFiles} from '../../core/errors.js'

type Row = {readonly code: FailureCode; readonly words: string; readonly hint: string}

const otherPath = 'Choose another path.'
const noSpace: Row = {code: 'NO_SPACE', words: 'the disk is full', hint: 'Free some space, then run again.'}
const noPermission: Row = {code: 'NO_PERMISSION', words: 'no permission', hint: otherPath}
const broken: Row = {code: 'STORAGE_ERROR', words: 'the disk failed', hint: 'Check the disk, then run again.'}

/** Meanings of the errors of the system for a file that is written. */
const rows: Readonly<Record<string, Row>> = {
  ENOSPC: noSpace,
  EDQUOT: {...noSpace, words: 'the quota of this disk is used up'},
  EFBIG: {...noSpace, words: 'the disk cannot store so large a file'},
  EACCES: noPermission,
  EPERM: noPermission,
  EROFS: {...noPermission, words: 'the disk is read only'},
  EIO: broken,
  ENXIO: {...broken, words: 'no program reads this pipe', hint: 'Start the program that reads it, then run again.'},
  ENOENT: {code: 'FOLDER_MISSING', words: 'its folder does not exist', hint: 'Create the folder first: mkdir -p'},
  ENOTDIR: {code: 'FOLDER_MISSING', words: 'a part of its path is not a folder', hint: otherPath},
  EISDIR: {code: 'IS_A_FOLDER', words: 'it is a folder', hint: otherPath},
  ENAMETOOLONG: {code: 'NAME_TOO_LONG', words: 'its name is too long', hint: otherPath},
  ELOOP: {code: 'SYMBOLIC_LINK', words: 'it is a symbolic link', hint: 'Name the file that it points to.'},
}

export function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/**
 * An error of the system as a failure that names the file. EPIPE is returned unchanged: a closed pipe is no failure.
 */
export function toFileFailure(error: unknown, path: string): unknown {
  const errorCode = errorCodeOf(error)
  if (error instanceof CliFailure || errorCode === 'EPIPE') return error
  const row = Object.hasOwn(rows, errorCode) ? rows[errorCode] : undefined
  if (isFileLimit(error)) return tooManyFiles(error)
  const {code, words, hint} = row ?? {...broken, words: errorCode || 'unknown cause'}
  const hints = [code === 'FOLDER_MISSING' && errorCode === 'ENOENT' ? `${hint} ${shellQuote(dirname(path))}` : hint]
  return new CliFailure(`cannot write ${path}: ${words}`, {code, hints, cause: error})
}

export function alreadyExists(path: string, kept?: string): CliFailure {
  const where = kept === undefined ? '' : `; everything that was read is in ${kept}`
  return new CliFailure(`${path} already exists${where}`, {
    code: 'FILE_EXISTS',
    hints: ['Add --overwrite to replace it, or choose another path.'],
  })
}

export function isFolder(path: string): CliFailure {
  return toFileFailure(Object.assign(new Error('folder'), {code: 'EISDIR'}), path) as CliFailure
}

export function replacedByOther(path: string): CliFailure {
  return new CliFailure(`${path} was replaced by another run while this one wrote it`, {
    code: 'FILE_TAKEN',
    hints: ['Let one run at a time write to a path.'],
  })
}
