from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ledger', '0005_table_moves'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='transaction',
            name='ledger_transaction_kind',
        ),
        migrations.AlterField(
            model_name='kindrule',
            name='transaction_kind',
            field=models.CharField(choices=[('buy-in', 'buy-in'), ('chips-in', 'chips carried in'), ('cash-out', 'cash-out'), ('chips-out', 'chips carried out'), ('table-move', 'move to another table'), ('wager', 'wager'), ('bank', 'bank'), ('collection', 'collection'), ('waiver', 'waiver of a collection'), ('collection-refund', 'refund of a collection'), ('payment', 'payment'), ('settlement', 'settlement'), ('return', 'return'), ('jackpot-fee', 'jackpot fee'), ('jackpot-award', 'jackpot award'), ('fill', 'fill'), ('credit', 'credit'), ('drop-count', 'drop count'), ('ruling-advance', 'advance during a ruling'), ('ruling-return', 'return of an advance'), ('reversal', 'reversal'), ('note', 'note')], max_length=20),
        ),
        migrations.AlterField(
            model_name='transaction',
            name='kind',
            field=models.CharField(choices=[('buy-in', 'buy-in'), ('chips-in', 'chips carried in'), ('cash-out', 'cash-out'), ('chips-out', 'chips carried out'), ('table-move', 'move to another table'), ('wager', 'wager'), ('bank', 'bank'), ('collection', 'collection'), ('waiver', 'waiver of a collection'), ('collection-refund', 'refund of a collection'), ('payment', 'payment'), ('settlement', 'settlement'), ('return', 'return'), ('jackpot-fee', 'jackpot fee'), ('jackpot-award', 'jackpot award'), ('fill', 'fill'), ('credit', 'credit'), ('drop-count', 'drop count'), ('ruling-advance', 'advance during a ruling'), ('ruling-return', 'return of an advance'), ('reversal', 'reversal'), ('note', 'note')], max_length=20, verbose_name='kind'),
        ),
        migrations.AddConstraint(
            model_name='transaction',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['buy-in', 'chips-in', 'cash-out', 'chips-out', 'table-move', 'wager', 'bank', 'collection', 'waiver', 'collection-refund', 'payment', 'settlement', 'return', 'jackpot-fee', 'jackpot-award', 'fill', 'credit', 'drop-count', 'ruling-advance', 'ruling-return', 'reversal', 'note'])), name='ledger_transaction_kind'),
        ),
    ]
