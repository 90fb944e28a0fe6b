import type { RenditionFormat } from '../../shared/content/image.ts';
import type { ImageRefusedError } from './image-refused-error.ts';

/** A picture to scale. It goes to the scaling process by its name, so that no picture is in the memory of the site. */
export interface ScaleOrder {
  /** The job's number. */
  id: number;
  /** The absolute path of the stored file, whose first `bodyBytes` bytes are the picture. */
  file: string;
  bodyBytes: number;
  /** SHA-256 of the picture in base64url. */
  sha256: string;
  /** In pixels. */
  width: number;
  format: RenditionFormat;
}

/** The messages of the scaling process. */
export type ScalingMessage =
  | { kind: 'ready' }
  /** Pictures cannot be scaled on the machine. */
  | { kind: 'unavailable'; reason: string }
  /** The resident memory of the process in bytes, where the site cannot read it. */
  | { kind: 'memory'; bytes: number }
  | { kind: 'scaled'; id: number; bytes: Uint8Array }
  | { kind: 'refused'; id: number; status: ImageRefusedError['status']; message: string; reason: string }
  /** The file cannot be read, or is another one by now. */
  | { kind: 'changed'; id: number; reason: string };
