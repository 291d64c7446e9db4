import Conf from 'conf'
import {CliFailure} from '../errors.js'

export type Store = Conf<Record<string, unknown>>

const privateFileMode = 0o600

/** A JSON file of settings that only its owner can read; written whole or not at all. */
export function openStore(folder: string, name: string): Store {
  try {
    return new Conf<Record<string, unknown>>({
      cwd: folder,
      configName: name,
      configFileMode: privateFileMode,
      accessPropertiesByDotNotation: false,
    })
  } catch (error) {
    throw new CliFailure(`Cannot use ${folder}/${name}.json: ${(error as Error).message.split('\n')[0]}`, {
      code: 'STATE_DAMAGED',
      exit: 'storage',
      hints: [`Mend or remove the file: ${folder}/${name}.json`],
    })
  }
}
