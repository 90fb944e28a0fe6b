export type LoseText = (
  kind: 'value-left-out' | 'shown-as-text' | 'element-left-out' | 'address-refused',
  reason: string,
) => void;

export interface TextLoss {
  readonly kind: Parameters<LoseText>[0];
  readonly reason: string;
}
